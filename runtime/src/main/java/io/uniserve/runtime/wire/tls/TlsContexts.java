package io.uniserve.runtime.wire.tls;

import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** The contexts of the JDK's own TLS. */
public final class TlsContexts {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  private TlsContexts() {}

  /** Returns the supported versions of the protocol. */
  public static String[] protocols() {
    return PROTOCOLS.clone();
  }

  /** Returns the context of a server that shows a certificate and asks for none. */
  public static SSLContext server(Identity identity) {
    return context(new KeyManager[] {identity.keyManager()}, null);
  }

  /** Returns the context of a client that shows no certificate. */
  public static SSLContext client(Trust trust) {
    return context(null, new TrustManager[] {trust.trustManager()});
  }

  private static SSLContext context(KeyManager[] keys, TrustManager[] trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }
}
