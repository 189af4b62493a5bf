package dev.coatcheck.app.tenant;

import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.app.problem.WriteProblem;
import dev.coatcheck.db.browser.BrowserRequest;
import dev.coatcheck.db.intake.DatabaseAway;
import dev.coatcheck.db.tenant.TenantId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lets in who has an API key, ahead of everything; wrong, revoked and missing are all alike. */
public final class ApiKeyFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final String SCHEME = "bearer ";

  private static final Problem FOREIGN =
      new Problem(
          ProblemCode.INVALID_REQUEST,
          HttpServletResponse.SC_FORBIDDEN,
          "No API key is configured, so Host must be localhost or a loopback address, and no page of another origin may give commands.",
          List.of(),
          Optional.empty());

  private final transient Admission admission;

  public ApiKeyFilter(Admission admission) {
    this.admission = admission;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (PublicRoutes.contains(request.getRequestURI())) {
      chain.doFilter(request, response);
      return;
    }
    if (isForeign(request)) {
      WriteProblem.write(FOREIGN, request, response);
      return;
    }
    Optional<TenantId> tenant;
    try {
      tenant = tenant(request);
    } catch (DatabaseAway e) {
      WriteProblem.write(Problem.of(ProblemCode.UNAVAILABLE), request, response);
      return;
    }
    if (tenant.isEmpty()) {
      WriteProblem.write(Problem.of(ProblemCode.UNAUTHORIZED), request, response);
      return;
    }
    Caller.set(request, tenant.get(), () -> tenant(request).equals(tenant));
    chain.doFilter(request, response);
  }

  /** Where no key is asked for, whatever page is open on this machine could pass for its user. */
  private boolean isForeign(HttpServletRequest request) {
    return switch (admission) {
      case Admission.Open open -> {
        var sent =
            new BrowserRequest(
                request.getMethod(),
                request.getHeader("Host"),
                request.getHeader("Sec-Fetch-Site"),
                request.getHeader("Origin"));
        yield !sent.namesThisMachine() || !sent.isOurs();
      }
      case Admission.ByKey byKey -> false;
    };
  }

  private Optional<TenantId> tenant(HttpServletRequest request) {
    return switch (admission) {
      case Admission.Open open -> Optional.of(TenantId.DEFAULT);
      case Admission.ByKey byKey -> apiKey(request).flatMap(byKey.tenants()::find);
    };
  }

  private static Optional<String> apiKey(HttpServletRequest request) {
    List<String> headers = Collections.list(request.getHeaders("Authorization"));
    if (headers.size() != 1) {
      return Optional.empty();
    }
    String header = headers.getFirst();
    return header.toLowerCase(Locale.ROOT).startsWith(SCHEME)
        ? Optional.of(header.substring(SCHEME.length()).strip())
        : Optional.empty();
  }
}
