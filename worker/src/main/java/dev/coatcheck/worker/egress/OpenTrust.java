package dev.coatcheck.worker.egress;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Whom we trust: the JDK's authorities, and those of {@code coatcheck.egress.ca-file}. */
final class OpenTrust {
  private OpenTrust() {}

  static SSLContext with(@Nullable Path caFile) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, caFile == null ? null : managers(caFile), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "coatcheck.egress.ca-file must hold PEM certificates.", caFile == null ? e : null);
    }
  }

  private static TrustManager[] managers(Path caFile) throws GeneralSecurityException, IOException {
    List<Certificate> trusted = new ArrayList<>(read(caFile));
    for (TrustManager manager : factory(null).getTrustManagers()) {
      if (manager instanceof X509TrustManager standard) {
        for (X509Certificate issuer : standard.getAcceptedIssuers()) {
          trusted.add(issuer);
        }
      }
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < trusted.size(); i++) {
      store.setCertificateEntry("ca-" + i, trusted.get(i));
    }
    return factory(store).getTrustManagers();
  }

  private static Collection<? extends Certificate> read(Path caFile)
      throws GeneralSecurityException, IOException {
    try (InputStream in = Files.newInputStream(caFile)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw new GeneralSecurityException("no certificate");
      }
      return found;
    }
  }

  private static TrustManagerFactory factory(@Nullable KeyStore store)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }
}
