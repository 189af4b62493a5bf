package dev.coatcheck.app.tenant;

import dev.coatcheck.db.tenant.TenantId;
import jakarta.servlet.http.HttpServletRequest;

/** Whose request it is. Set by the filter alone, from the API key alone. */
public final class Caller {
  private static final String ATTRIBUTE = Caller.class.getName();

  private Caller() {}

  /**
   * @throws IllegalStateException when the filter has let nobody in
   */
  public static TenantId of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof TenantId tenant) {
      return tenant;
    }
    throw new IllegalStateException("the request was not authenticated");
  }

  static void set(HttpServletRequest request, TenantId tenant) {
    request.setAttribute(ATTRIBUTE, tenant);
  }
}
