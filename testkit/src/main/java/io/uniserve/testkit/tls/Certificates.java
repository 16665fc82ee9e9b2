package io.uniserve.testkit.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiFunction;
import javax.net.ssl.SSLContext;

/**
 * An authority and the certificates that it issues, as PEM files. A test that uses it depends on
 * {@code netty-pkitesting}.
 *
 * @param <I> the type that names the files of a certificate and of its key
 */
public final class Certificates<I> {
  private final Path directory;
  private final BiFunction<Path, Path, I> identities;
  private final X509Bundle authority;

  /**
   * Creates an authority.
   *
   * @param directory the directory of its files
   * @param identities makes an identity of the files of a certificate and of its key
   */
  public Certificates(Path directory, BiFunction<Path, Path, I> identities) throws Exception {
    this.identities = identities;
    this.directory = Files.createDirectories(directory);
    authority = builder("CN=authority").setIsCertificateAuthority(true).buildSelfSigned();
    write(authorities(), authority.getCertificatePEM());
  }

  private static CertificateBuilder builder(String subject) {
    Instant now = Instant.now();
    return new CertificateBuilder()
        .algorithm(Algorithm.ecp256)
        .subject(subject)
        .notBefore(now.minus(Duration.ofDays(2)))
        .notAfter(now.plus(Duration.ofDays(2)));
  }

  /** Returns the file of the authority's own certificate. */
  public Path authorities() {
    return directory.resolve("ca.pem");
  }

  /** Issues a certificate for a process at 127.0.0.1, also called localhost. */
  public I issue(String name) throws Exception {
    return write(
        name, builder("CN=" + name).addSanIpAddress("127.0.0.1").addSanDnsName("localhost"));
  }

  /** Issues a certificate with an RSA key. */
  public I issueRsa(String name) throws Exception {
    return write(name, builder("CN=" + name).rsa2048().addSanIpAddress("127.0.0.1"));
  }

  /** Issues a certificate for a process at another address. */
  public I issueElsewhere(String name) throws Exception {
    return write(name, builder("CN=" + name).addSanDnsName("elsewhere.example"));
  }

  /** Issues a certificate that has expired. */
  public I issueExpired(String name) throws Exception {
    return write(
        name,
        builder("CN=" + name)
            .addSanIpAddress("127.0.0.1")
            .notAfter(Instant.now().minus(Duration.ofDays(1))));
  }

  /** Returns the context of a server that goes on after its certificate has expired. */
  public SSLContext expiredServer() throws Exception {
    X509Bundle expired =
        builder("CN=late")
            .addSanIpAddress("127.0.0.1")
            .notAfter(Instant.now().minus(Duration.ofDays(1)))
            .buildIssuedBy(authority);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(expired.toKeyManagerFactory().getKeyManagers(), null, null);
    return context;
  }

  private I write(String name, CertificateBuilder builder) throws Exception {
    X509Bundle issued = builder.buildIssuedBy(authority);
    Path certificate = directory.resolve(name + ".pem");
    Path key = directory.resolve(name + ".key");
    write(key, issued.getPrivateKeyPEM());
    write(certificate, issued.getCertificatePathPEM());
    return identities.apply(certificate, key);
  }

  /** Replaces a file at once, as tools that renew certificates do. */
  private static void write(Path file, String pem) throws IOException {
    Path fresh = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), pem);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
