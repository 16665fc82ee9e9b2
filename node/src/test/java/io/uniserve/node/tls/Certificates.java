package io.uniserve.node.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import io.uniserve.runtime.wire.tls.Identity;
import io.uniserve.runtime.wire.tls.Trust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;

/** An authority and the certificates that it issues, as PEM files. */
public final class Certificates {
  private final Path directory;
  private final X509Bundle authority;

  /** Creates an authority whose files are in a directory. */
  public Certificates(Path directory) throws Exception {
    this.directory = Files.createDirectories(directory);
    authority = builder("CN=authority").setIsCertificateAuthority(true).buildSelfSigned();
    write(directory.resolve("ca.pem"), authority.getCertificatePEM());
  }

  private static CertificateBuilder builder(String subject) {
    Instant now = Instant.now();
    return new CertificateBuilder()
        .algorithm(Algorithm.ecp256)
        .subject(subject)
        .notBefore(now.minus(Duration.ofDays(2)))
        .notAfter(now.plus(Duration.ofDays(2)));
  }

  /** Returns the trust in this authority. */
  public Trust trust() {
    return new Trust(directory.resolve("ca.pem"));
  }

  /** Issues a certificate for a process at 127.0.0.1. */
  public Identity issue(String name) throws Exception {
    return write(
        name, builder("CN=" + name).addSanIpAddress("127.0.0.1").addSanDnsName("localhost"));
  }

  private Identity write(String name, CertificateBuilder certificate) throws Exception {
    X509Bundle issued = certificate.buildIssuedBy(authority);
    Identity identity =
        new Identity(directory.resolve(name + ".pem"), directory.resolve(name + ".key"));
    write(identity.key(), issued.getPrivateKeyPEM());
    write(identity.certificate(), issued.getCertificatePathPEM());
    return identity;
  }

  /** Replaces a file at once, as tools that renew certificates do. */
  private static void write(Path file, String pem) throws IOException {
    Path fresh = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), pem);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
