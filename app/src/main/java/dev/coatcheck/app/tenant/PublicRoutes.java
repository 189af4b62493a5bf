package dev.coatcheck.app.tenant;

import java.util.regex.Pattern;

/**
 * What anybody may ask for. Held against the undecoded path, so that it and the router cannot read
 * one path two ways.
 */
final class PublicRoutes {
  private static final Pattern PATHS =
      Pattern.compile(
          "/actuator/health(/(readiness|liveness))?|/openapi\\.yaml|/problems/[a-z-]{1,64}"
              + "|/jobs/[0-9a-f-]{1,64}|/assets/[a-z]{1,32}\\.[a-z]{1,8}");

  private PublicRoutes() {}

  static boolean contains(String rawPath) {
    return PATHS.matcher(rawPath).matches();
  }
}
