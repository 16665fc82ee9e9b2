package io.uniserve.runtime.wire.tls;

import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The authorities that are trusted.
 *
 * @param authorities PEM: their certificates
 */
public record Trust(Path authorities) {

  /**
   * Returns the manager that checks the certificates of others, always with the present file.
   *
   * @throws UniserveException naming the file if it is missing, malformed or expired
   */
  public X509ExtendedTrustManager trustManager() {
    return new WatchedTrustManager(new Watched<>(List.of(authorities), this::load));
  }

  private X509ExtendedTrustManager load() {
    List<X509Certificate> certificates = Pem.certificates(authorities);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (X509Certificate certificate : certificates) {
        store.setCertificateEntry("authority-" + store.size(), certificate);
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    } catch (GeneralSecurityException | IOException e) {
      throw Pem.invalid(authorities, "cannot be used: " + UniserveException.reason(e));
    }
  }
}
