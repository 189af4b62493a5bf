package dev.coatcheck.app.api;

import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.app.problem.WriteProblem;
import dev.coatcheck.db.job.JobId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * One page for people: a job's timeline as it happens. It is the same for every job and holds
 * nothing of any; its script reads the API with the key that the reader types in.
 */
@RestController
public final class JobPageController {
  /** No inline script or style, nothing from elsewhere, no string that becomes markup. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private static final String SCRIPT = "text/javascript;charset=utf-8";

  private static final Map<String, String> TYPES =
      Map.of(
          "job.html",
          "text/html;charset=utf-8",
          "job.css",
          "text/css;charset=utf-8",
          "job.js",
          SCRIPT,
          "course.js",
          SCRIPT,
          "events.js",
          SCRIPT,
          "icon.svg",
          "image/svg+xml");

  private static final String PAGE = "job.html";

  private final Map<String, Asset> assets =
      TYPES.keySet().stream().collect(Collectors.toUnmodifiableMap(name -> name, Asset::read));

  private record Asset(String type, byte[] bytes, String tag) {
    static Asset read(String name) {
      try (InputStream in = JobPageController.class.getResourceAsStream("/page/" + name)) {
        if (in == null) {
          throw new IllegalStateException("page/" + name + " is missing in the jar");
        }
        byte[] bytes = in.readAllBytes();
        return new Asset(TYPES.getOrDefault(name, SCRIPT), bytes, ETag.of(bytes));
      } catch (IOException e) {
        throw new IllegalStateException("page/" + name + " cannot be read", e);
      }
    }
  }

  @GetMapping("/jobs/{id}")
  void page(@PathVariable String id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<JobId> job = JobId.parse(id);
    write(job.isEmpty() ? null : assets.get(PAGE), request, response);
  }

  @GetMapping("/assets/{name}")
  void asset(@PathVariable String name, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    write(name.equals(PAGE) ? null : assets.get(name), request, response);
  }

  private static void write(
      @Nullable Asset asset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (asset == null) {
      WriteProblem.write(Problem.of(ProblemCode.NOT_FOUND), request, response);
      return;
    }
    response.setHeader("ETag", asset.tag);
    response.setHeader("Cache-Control", "no-cache");
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    if (ETag.isNamed(request, asset.tag)) {
      response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      return;
    }
    response.setContentType(asset.type);
    response.setContentLength(asset.bytes.length);
    response.getOutputStream().write(asset.bytes);
  }
}
