package dev.coatcheck.app.submit;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/** Whether a request's body says that it is JSON in UTF-8, as it is. */
public final class BodyType {
  private BodyType() {}

  public static boolean isJson(HttpServletRequest request) {
    String encoding = request.getHeader("Content-Encoding");
    return (encoding == null || encoding.isBlank()) && isJson(request.getContentType());
  }

  private static boolean isJson(@Nullable String contentType) {
    if (contentType == null) {
      return false;
    }
    try {
      MediaType type = MediaType.parseMediaType(contentType);
      Charset charset = type.getCharset();
      return type.getType().equals("application")
          && (type.getSubtype().equals("json") || type.getSubtype().endsWith("+json"))
          && (charset == null || charset.equals(StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
