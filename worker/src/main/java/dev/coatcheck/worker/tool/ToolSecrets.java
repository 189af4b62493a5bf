package dev.coatcheck.worker.tool;

import dev.coatcheck.db.tool.ToolDefinition;
import dev.coatcheck.db.tool.ToolWork;
import dev.coatcheck.db.tool.Tools;
import dev.coatcheck.worker.egress.KnownSecrets;
import dev.coatcheck.worker.egress.Secret;
import java.util.ArrayList;
import java.util.List;

/** The credentials in the tools file: what follows {@code Bearer} by itself, too. */
final class ToolSecrets {
  /** A value this short is a version or a flag, not a secret. */
  private static final int SHORTEST = 8;

  private ToolSecrets() {}

  static KnownSecrets of(Tools tools) {
    List<Secret> secrets = new ArrayList<>();
    for (ToolDefinition tool : tools.all()) {
      if (tool.work() instanceof ToolWork.Http http) {
        http.headers().values().forEach(value -> add(secrets, value.reveal()));
      }
    }
    return new KnownSecrets(secrets);
  }

  private static void add(List<Secret> secrets, String value) {
    int space = value.indexOf(' ');
    for (String secret : new String[] {value, value.substring(space + 1)}) {
      if (secret.length() >= SHORTEST) {
        secrets.add(Secret.of(secret));
      }
    }
  }
}
