package dev.coatcheck.app.problem;

import dev.coatcheck.db.time.Ids;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The id under which a request is spoken of: the caller's, if it is one that we repeat. */
public final class RequestId {
  private static final String HEADER = "X-Request-Id";
  private static final String ATTRIBUTE = RequestId.class.getName();
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private final Ids ids;

  public RequestId(Ids ids) {
    this.ids = ids;
  }

  /** Gives the request its id and says it in the response. Once a request. */
  void assign(HttpServletRequest request, HttpServletResponse response) {
    String asked = request.getHeader(HEADER);
    String id = asked != null && ALLOWED.matcher(asked).matches() ? asked : ids.next().toString();
    request.setAttribute(ATTRIBUTE, id);
    response.setHeader(HEADER, id);
  }

  /** The id that the request was given. */
  static String of(HttpServletRequest request) {
    @Nullable Object id = request.getAttribute(ATTRIBUTE);
    return id instanceof String text ? text : "";
  }
}
