package dev.coatcheck.db.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.fixture.DatabasePerClass;
import java.util.List;
import org.jobrunr.storage.sql.common.DatabaseMigrationsProvider;
import org.jobrunr.storage.sql.common.migrations.SqlMigration;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

class JobRunrSchemaTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  @Test
  void our_migration_holds_just_the_scripts_of_the_jobrunr_on_the_class_path() {
    List<@Nullable String> ours =
        JdbcClient.create(DATABASE.dataSource())
            .sql("select script from jobrunr_migrations order by script")
            .query(String.class)
            .list();
    List<String> theirs =
        new DatabaseMigrationsProvider(PostgresStorageProvider.class)
            .getMigrations()
            .map(SqlMigration::getFileName)
            .filter(name -> name.endsWith(".sql"))
            .sorted()
            .toList();
    assertThat(ours).isNotEmpty().containsExactlyElementsOf(theirs);
  }
}
