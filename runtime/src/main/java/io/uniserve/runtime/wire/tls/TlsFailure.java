package io.uniserve.runtime.wire.tls;

import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** The meaning of a failed handshake, in words for those who set it up. */
public final class TlsFailure {
  private static final int CAUSES_MAX = 20;

  private TlsFailure() {}

  /** Returns what went wrong with the peer; empty if the failure was not about TLS. */
  public static Optional<String> describe(Throwable failure) {
    String found = null;
    Throwable cause = failure;
    for (int i = 0; cause != null && i < CAUSES_MAX; i++) {
      String told = told(cause);
      found = told == null ? found : told; // the innermost cause says it best
      cause = cause.getCause();
    }
    return Optional.ofNullable(found);
  }

  private static String told(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return switch (cause) {
      case CertificateExpiredException e -> "its certificate has expired (" + message + ")";
      case CertificateNotYetValidException e ->
          "its certificate is not valid yet (" + message + ")";
      case CertPathValidatorException e when message.contains("validity check") -> null;
      case CertificateException e when message.startsWith("No ") ->
          "its certificate is of another name (" + message + ")";
      case CertificateException e when message.contains("PKIX") ->
          "its certificate is of no authority that is trusted here";
      case SSLException e when message.contains("fatal alert") -> refused(message);
      case SSLException e when message.contains("not an SSL/TLS record") -> "it does not speak TLS";
      default -> null;
    };
  }

  private static String refused(String message) {
    String alert = message.substring(message.lastIndexOf(':') + 1).strip();
    return alert.toLowerCase(Locale.ROOT).contains("cert") || alert.contains("unknown_ca")
        ? "it refuses the certificate of this process, or the lack of one (" + alert + ")"
        : "it ended the handshake (" + alert + ")";
  }
}
