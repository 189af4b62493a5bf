package dev.coatcheck.app.tenant;

import dev.coatcheck.db.intake.DatabaseAway;
import dev.coatcheck.db.tenant.TenantId;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.BooleanSupplier;

/** Whose request it is. Set by the filter alone, from the API key alone. */
public final class Caller {
  private static final String ATTRIBUTE = Caller.class.getName();
  private static final String ADMISSION = ATTRIBUTE + ".admission";

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

  /**
   * Asks again whether the caller is let in, for a request that lasts: a key may be revoked
   * meanwhile. True while the database is away. Only on the request's own thread.
   */
  public static boolean isStillAdmitted(HttpServletRequest request) {
    try {
      return !(request.getAttribute(ADMISSION) instanceof BooleanSupplier admitted)
          || admitted.getAsBoolean();
    } catch (DatabaseAway e) {
      return true;
    }
  }

  static void set(HttpServletRequest request, TenantId tenant, BooleanSupplier stillAdmitted) {
    request.setAttribute(ATTRIBUTE, tenant);
    request.setAttribute(ADMISSION, stillAdmitted);
  }
}
