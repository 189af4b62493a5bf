package dev.coatcheck.db.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.fixture.DatabasePerClass;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** Every fenced write, under an epoch that has passed, for every state of its job. */
class FencedTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private LeaseStores stores;
  private FencedWrites writes;

  @BeforeEach
  void open() {
    stores = new LeaseStores(DATABASE.get());
    writes = new FencedWrites(stores);
  }

  @AfterEach
  void close() {
    stores.close();
  }

  @ParameterizedTest
  @EnumSource(JobStatus.class)
  void a_write_under_a_passed_epoch_says_so_and_changes_nothing(JobStatus status) {
    for (String write : writes.names()) {
      LeasedJob job = writes.ready(write);
      stores.move(job.lease().job(), status);
      Map<String, List<String>> before = stores.everything();
      assertThat(writes.write(write, job)).as(write).isEqualTo(Written.LEASE_LOST);
      assertThat(stores.everything()).as(write).isEqualTo(before);
    }
  }

  @Test
  void the_same_writes_under_the_epoch_of_the_moment_are_done() {
    for (String write : writes.names()) {
      LeasedJob job = writes.ready(write);
      Map<String, List<String>> before = stores.everything();
      assertThat(writes.write(write, job)).as(write).isEqualTo(Written.YES);
      assertThat(stores.everything()).as(write).isNotEqualTo(before);
    }
  }

  @Test
  void no_fenced_write_is_forgotten_here() throws Exception {
    Set<String> listed = new TreeSet<>();
    writes.names().forEach(name -> listed.add(name.replaceFirst(",.*", "")));
    assertThat(marked(Fenced.class)).isNotEmpty().isEqualTo(listed);
  }

  /** The methods of db that have this mark. */
  static Set<String> marked(Class<? extends Annotation> mark)
      throws IOException, ClassNotFoundException {
    Set<String> found = new TreeSet<>();
    Resource[] classes =
        new PathMatchingResourcePatternResolver()
            .getResources("classpath*:dev/coatcheck/db/**/*.class");
    for (Resource resource : classes) {
      String path = resource.getURL().getPath();
      String name = path.substring(path.lastIndexOf("dev/coatcheck/"), path.length() - 6);
      if (name.endsWith("-info")) {
        continue;
      }
      Class<?> type =
          Class.forName(name.replace('/', '.'), false, FencedTest.class.getClassLoader());
      for (Method method : type.getDeclaredMethods()) {
        if (method.isAnnotationPresent(mark)) {
          found.add(type.getSimpleName() + "." + method.getName());
        }
      }
    }
    return found;
  }
}
