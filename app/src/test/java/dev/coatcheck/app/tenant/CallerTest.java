package dev.coatcheck.app.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.app.RunningApp;
import dev.coatcheck.db.intake.ApiKeys;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class CallerTest {
  private final RunningApp app = RunningApp.shared();
  private final AtomicLong nanos = new AtomicLong();
  private final FindTenant tenants =
      new FindTenant(List.of(), app.context().getBean(ApiKeys.class), nanos::get);

  @Test
  void a_request_that_lasts_notices_that_its_key_was_revoked() throws Exception {
    String key = app.makeKey("hooli");
    var request = new MockHttpServletRequest("GET", "/v1/jobs");
    request.addHeader("Authorization", "Bearer " + key);
    new ApiKeyFilter(new Admission.ByKey(tenants))
        .doFilter(
            request,
            new MockHttpServletResponse(),
            (passed, response) -> {
              assertThat(Caller.isStillAdmitted(request)).isTrue();
              app.sql()
                  .sql("update api_key set revoked_at = now() where tenant_id = 'hooli'")
                  .update();
              nanos.addAndGet(Duration.ofSeconds(60).toNanos());
              assertThat(Caller.isStillAdmitted(request)).isFalse();
            });
  }
}
