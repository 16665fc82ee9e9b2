package io.uniserve.runtime.wire.tls;

import io.uniserve.api.error.UniserveException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The files of a process's certificate and private key.
 *
 * @param certificate PEM: its certificate first, then those between it and its authority
 * @param key PEM: the private key, PKCS #8, not encrypted
 */
public record Identity(Path certificate, Path key) {
  private static final byte[] PROBE = {1, 2, 3};
  private static final char[] NO_PASSWORD = {};

  /**
   * Returns the manager that proves the identity to others, always with the present files.
   *
   * @throws UniserveException naming the file that is missing, malformed, expired, or does not
   *     belong to the other
   */
  public X509ExtendedKeyManager keyManager() {
    return new WatchedKeyManager(new Watched<>(List.of(certificate, key), this::load));
  }

  private X509ExtendedKeyManager load() {
    List<X509Certificate> chain = Pem.certificates(certificate);
    PrivateKey privateKey = Pem.privateKey(key);
    requireMatch(chain.getFirst(), privateKey);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      store.setKeyEntry("identity", privateKey, NO_PASSWORD, chain.toArray(new X509Certificate[0]));
      KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
      factory.init(store, NO_PASSWORD);
      return (X509ExtendedKeyManager) factory.getKeyManagers()[0];
    } catch (GeneralSecurityException | java.io.IOException e) {
      throw Pem.invalid(certificate, "cannot be used: " + UniserveException.reason(e));
    }
  }

  private void requireMatch(X509Certificate leaf, PrivateKey privateKey) {
    try {
      Signature signature = Signature.getInstance(signatureOf(privateKey));
      signature.initSign(privateKey);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(leaf.getPublicKey());
      signature.update(PROBE);
      if (!signature.verify(signed)) {
        throw mismatch(leaf);
      }
    } catch (GeneralSecurityException e) {
      throw mismatch(leaf);
    }
  }

  private static String signatureOf(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> "EdDSA";
    };
  }

  private UniserveException mismatch(X509Certificate leaf) {
    return Pem.invalid(
        key,
        "is not the private key of "
            + leaf.getSubjectX500Principal()
            + ", the first certificate of "
            + certificate);
  }
}
