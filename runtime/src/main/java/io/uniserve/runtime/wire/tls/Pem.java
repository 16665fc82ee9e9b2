package io.uniserve.runtime.wire.tls;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/** The reading of PEM files. Every error names the file. */
final class Pem {
  private static final long BYTES_MAX = 1 << 20;
  private static final String KEY_BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String KEY_END = "-----END PRIVATE KEY-----";
  private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  private Pem() {}

  /** Returns the certificates of a file: at least one, and all valid now. */
  static List<X509Certificate> certificates(Path file) {
    byte[] pem = read(file);
    try {
      List<X509Certificate> certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (certificates.isEmpty()) {
        throw invalid(file, "holds no certificate");
      }
      certificates.forEach(certificate -> requireValid(file, certificate));
      return certificates;
    } catch (CertificateException e) {
      throw invalid(file, "holds no certificates in PEM form", e);
    }
  }

  private static void requireValid(Path file, X509Certificate certificate) {
    String subject = "the certificate of " + certificate.getSubjectX500Principal();
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException e) {
      throw invalid(file, subject + " expired at " + certificate.getNotAfter().toInstant(), e);
    } catch (CertificateNotYetValidException e) {
      throw invalid(
          file, subject + " is valid only from " + certificate.getNotBefore().toInstant(), e);
    }
  }

  /** Returns the private key of a file, in PKCS #8 and not encrypted. */
  static PrivateKey privateKey(Path file) {
    String pem = new String(read(file), StandardCharsets.US_ASCII);
    int begin = pem.indexOf(KEY_BEGIN);
    int end = pem.indexOf(KEY_END, Math.max(begin, 0));
    if (begin < 0 || end < 0) {
      throw invalid(file, whyNoKey(pem));
    }
    byte[] encoded;
    try {
      encoded = Base64.getMimeDecoder().decode(pem.substring(begin + KEY_BEGIN.length(), end));
    } catch (IllegalArgumentException e) {
      throw invalid(file, "holds a private key that is damaged", e);
    }
    return privateKey(file, new PKCS8EncodedKeySpec(encoded));
  }

  private static PrivateKey privateKey(Path file, PKCS8EncodedKeySpec encoded) {
    InvalidKeySpecException failure = null;
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (InvalidKeySpecException e) {
        failure = e; // the key may be of another algorithm
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every JDK has " + algorithm, e);
      }
    }
    throw invalid(file, "holds a private key that is none of " + KEY_ALGORITHMS, failure);
  }

  private static String whyNoKey(String pem) {
    if (pem.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || pem.contains("Proc-Type: 4")) {
      return "holds an encrypted private key: store it without a password, readable to this user"
          + " alone";
    }
    if (pem.contains("-----BEGIN RSA PRIVATE KEY-----")
        || pem.contains("-----BEGIN EC PRIVATE KEY-----")) {
      return "holds a private key in an old form: convert it with 'openssl pkcs8 -topk8 -nocrypt'";
    }
    return "holds no private key in PEM form";
  }

  private static byte[] read(Path file) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new UniserveException(ErrorCode.TOO_LARGE, file + " is larger than 1 MiB");
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new UniserveException(ErrorCode.NOT_FOUND, "there is no file " + file, e);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot read " + file + ": " + UniserveException.reason(e),
          e);
    }
  }

  static UniserveException invalid(Path file, String problem) {
    return UniserveException.invalid(file + ": " + problem);
  }

  private static UniserveException invalid(Path file, String problem, Exception cause) {
    return new UniserveException(
        ErrorCode.INVALID_ARGUMENT, file + ": " + problem + " (" + cause.getMessage() + ")", cause);
  }
}
