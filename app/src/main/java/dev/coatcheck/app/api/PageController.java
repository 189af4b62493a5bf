package dev.coatcheck.app.api;

import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.app.problem.WriteProblem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** What anybody may read: the contract, and what each problem means. */
@RestController
public final class PageController {
  private final byte[] contract;

  public PageController() {
    try (InputStream in = PageController.class.getResourceAsStream("/openapi.yaml")) {
      if (in == null) {
        throw new IllegalStateException("openapi.yaml is missing in the jar");
      }
      contract = in.readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException("openapi.yaml cannot be read", e);
    }
  }

  @GetMapping("/openapi.yaml")
  void contract(HttpServletResponse response) throws IOException {
    write(contract, "application/yaml", response);
  }

  @GetMapping("/problems/{slug}")
  void problem(@PathVariable String slug, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<ProblemCode> code = ProblemCode.ofSlug(slug);
    if (code.isEmpty()) {
      WriteProblem.write(Problem.of(ProblemCode.NOT_FOUND), request, response);
      return;
    }
    response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    write(page(code.get()), "text/html;charset=utf-8", response);
  }

  private static byte[] page(ProblemCode code) {
    return """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <title>%1$s</title>
        <h1>%1$s</h1>
        <p><code>%2$s</code>, HTTP status %3$d</p>
        <p>%4$s</p>
        </html>
        """
        .formatted(code.title(), code.text(), code.status(), code.explanation())
        .getBytes(StandardCharsets.UTF_8);
  }

  private static void write(byte[] body, String type, HttpServletResponse response)
      throws IOException {
    response.setContentType(type);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
