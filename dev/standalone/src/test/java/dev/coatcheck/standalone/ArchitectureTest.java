package dev.coatcheck.standalone;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.coatcheck.db.lease.ClaimFenced;
import dev.coatcheck.db.lease.Fenced;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.lease.LeasedJob;
import dev.coatcheck.db.lease.Written;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The house's rules: which room may know which. */
@AnalyzeClasses(packages = "dev.coatcheck", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String APP = "dev.coatcheck.app..";
  private static final String WORKER = "dev.coatcheck.worker..";
  private static final String DB = "dev.coatcheck.db..";
  private static final String DISPATCH = "dev.coatcheck.db.dispatch..";
  private static final String EGRESS = "dev.coatcheck.worker.egress..";
  private static final String RETRY = "dev.coatcheck.worker.retry..";

  @ArchTest
  static final ArchRule app_never_knows_worker =
      noClasses()
          .that()
          .resideInAPackage(APP)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(WORKER);

  @ArchTest
  static final ArchRule worker_never_knows_app =
      noClasses()
          .that()
          .resideInAPackage(WORKER)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(APP);

  @ArchTest
  static final ArchRule db_knows_neither =
      noClasses()
          .that()
          .resideInAPackage(DB)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(APP, WORKER);

  @ArchTest
  static final ArchRule sql_lives_in_db =
      noClasses()
          .that()
          .resideInAnyPackage(APP, WORKER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.sql..",
              "javax.sql..",
              "org.springframework.jdbc..",
              "org.postgresql..",
              "com.zaxxer..");

  @ArchTest
  static final ArchRule jobrunr_lives_in_dispatch =
      noClasses()
          .that()
          .resideInAnyPackage(APP, WORKER, DB)
          .and(are(resideOutsideOfPackages(DISPATCH)))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.jobrunr..");

  @ArchTest
  static final ArchRule http_clients_live_in_egress =
      noClasses()
          .that()
          .resideInAnyPackage(APP, WORKER, DB)
          .and(are(resideOutsideOfPackages(EGRESS)))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "org.apache.hc..",
                  "java.net.http..",
                  "org.springframework.web.client..",
                  "okhttp3.."));

  @ArchTest
  static final ArchRule retry_is_pure =
      classes()
          .that()
          .resideInAPackage(RETRY)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              RETRY,
              "dev.coatcheck.db.job..",
              "java.lang..",
              "java.util..",
              "java.time..",
              "java.math..",
              "org.jspecify..",
              "tools.jackson..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule no_package_cycles =
      slices().matching("dev.coatcheck.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule outward_rooms_see_no_database =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.coatcheck.worker.provider..",
              "dev.coatcheck.worker.tool..",
              "dev.coatcheck.worker.deliver..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.springframework.transaction.annotation.Transactional")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule transactions_are_methods_of_db =
      noClasses()
          .that()
          .resideInAnyPackage(APP, WORKER)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.springframework.transaction..");

  @ArchTest
  static final ArchRule adapters_are_package_private =
      classes()
          .that()
          .resideInAnyPackage("dev.coatcheck.worker.provider..", EGRESS)
          .and()
          .haveSimpleNameEndingWith("Dialect")
          .and()
          .areNotInterfaces()
          .should()
          .notHaveModifier(JavaModifier.PUBLIC)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule time_and_chance_are_injected =
      noClasses()
          .that()
          .resideInAnyPackage(APP, WORKER, DB)
          .and(are(resideOutsideOfPackages("dev.coatcheck.db.time..")))
          .should()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callMethod(Thread.class, "sleep", java.time.Duration.class)
          .orShould()
          .callMethod(java.util.UUID.class, "randomUUID")
          .orShould()
          .callMethod(Math.class, "random");

  /** A stream of rows holds its connection until somebody closes it. */
  @ArchTest
  static final ArchRule rows_are_lists_not_streams =
      noClasses()
          .that()
          .resideInAPackage(DB)
          .should()
          .callMethod(JdbcClient.MappedQuerySpec.class, "stream");

  /** What writes to a job in progress names the epoch it was given. */
  @ArchTest
  static final ArchRule fenced_writes_take_a_lease =
      methods()
          .that()
          .areAnnotatedWith(Fenced.class)
          .or()
          .areAnnotatedWith(ClaimFenced.class)
          .should(takeALease());

  /** What says whether it was written is fenced. */
  @ArchTest
  static final ArchRule what_says_written_is_fenced =
      methods()
          .that()
          .arePublic()
          .and()
          .haveRawReturnType(Written.class)
          .and()
          .areNotDeclaredIn(Written.class)
          .should()
          .beAnnotatedWith(Fenced.class)
          .orShould()
          .beAnnotatedWith(ClaimFenced.class)
          .because("a write is fenced by its job's epoch, or by that of the call it tells of");

  /** Is one, or a record that has one. */
  private static boolean hasALease(JavaClass type) {
    return Stream.concat(
            Stream.of(type), type.getFields().stream().map(field -> field.getRawType()))
        .anyMatch(one -> one.isEquivalentTo(Lease.class) || one.isEquivalentTo(LeasedJob.class));
  }

  private static ArchCondition<JavaMethod> takeALease() {
    return new ArchCondition<>("take a lease, a leased job, or leases") {
      @Override
      public void check(JavaMethod method, ConditionEvents events) {
        boolean takes =
            method.getParameterTypes().stream()
                .flatMap(type -> type.getAllInvolvedRawTypes().stream())
                .anyMatch(ArchitectureTest::hasALease);
        events.add(new SimpleConditionEvent(method, takes, method.getFullName()));
      }
    };
  }
}
