package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Egress;
import dev.coatcheck.worker.egress.KnownSecrets;
import dev.coatcheck.worker.egress.SafeText;
import dev.coatcheck.worker.egress.Secret;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The configured providers. */
public final class Providers {
  /** A header's or query's value this short is a version or a flag, not a secret. */
  private static final int SHORTEST_SECRET_VALUE = 8;

  private final Map<String, Provider> byName = new TreeMap<>();

  /**
   * @param others secrets that no provider's text may show, besides the providers' own
   */
  public Providers(
      ProvidersSettings settings, Egress egress, InstantSource clock, KnownSecrets others) {
    NameOutcome words = new NameOutcome(new SafeText(secrets(settings, others)), clock);
    settings
        .providers()
        .forEach((name, one) -> byName.put(name, new HttpProvider(name, one, egress, words)));
  }

  public Collection<Provider> all() {
    return List.copyOf(byName.values());
  }

  private static List<Secret> secrets(ProvidersSettings settings, KnownSecrets others) {
    List<Secret> secrets = new ArrayList<>(others.all());
    for (ProviderSettings provider : settings.providers().values()) {
      secrets.add(provider.apiKey());
      for (Secret value : provider.headers().values()) {
        addLong(secrets, value);
      }
      for (Secret value : provider.query().values()) {
        addLong(secrets, value);
      }
    }
    return secrets;
  }

  private static void addLong(List<Secret> secrets, Secret value) {
    if (value.reveal().length() >= SHORTEST_SECRET_VALUE) {
      secrets.add(value);
    }
  }
}
