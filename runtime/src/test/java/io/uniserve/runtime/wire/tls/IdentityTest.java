package io.uniserve.runtime.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.testkit.tls.Certificates;
import io.uniserve.testkit.tools.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The errors of files that cannot be used, and the notice of changes. */
class IdentityTest {
  @TempDir private Path directory;
  private Certificates<Identity> authority;

  @BeforeEach
  void makeAuthority() throws Exception {
    authority = new Certificates<>(directory, Identity::new);
  }

  @Test
  void takesKeysOfBothKinds() throws Exception {
    assertThat(leaf(authority.issue("ec")).getPublicKey().getAlgorithm()).isEqualTo("EC");
    assertThat(leaf(authority.issueRsa("rsa")).getPublicKey().getAlgorithm()).isEqualTo("RSA");
  }

  private static X509Certificate leaf(Identity identity) {
    var keys = identity.keyManager();
    String type = identity.certificate().toString().contains("rsa") ? "RSA" : "EC";
    return keys.getCertificateChain(keys.chooseEngineServerAlias(type, null, null))[0];
  }

  @Test
  void namesAFileThatIsMissing() throws Exception {
    Identity identity = authority.issue("a");
    Files.delete(identity.key());
    expect(identity::keyManager, identity.key(), "there is no file");
    expect(
        () -> new Trust(directory.resolve("x")).trustManager(), directory.resolve("x"), "no file");
  }

  @Test
  void namesACertificateThatHasExpired() throws Exception {
    Identity expired = authority.issueExpired("old");
    expect(expired::keyManager, expired.certificate(), "CN=old expired at 20");
  }

  @Test
  void namesAKeyOfAnotherCertificate() throws Exception {
    Identity mixed = new Identity(authority.issue("a").certificate(), authority.issue("b").key());
    expect(mixed::keyManager, mixed.key(), "is not the private key of CN=a");
    Identity otherKind =
        new Identity(authority.issue("a").certificate(), authority.issueRsa("r").key());
    expect(otherKind::keyManager, otherKind.key(), "is not the private key of CN=a");
  }

  @Test
  void saysWhatIsWrongWithAFileOfAnotherForm() throws Exception {
    Identity identity = authority.issue("a");
    Identity swapped = new Identity(identity.key(), identity.certificate());
    expect(swapped::keyManager, identity.key(), "certificate");
    Identity noKey = new Identity(identity.certificate(), identity.certificate());
    expect(noKey::keyManager, identity.certificate(), "holds no private key in PEM form");
    expectOfKey("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n", "encrypted private key");
    expectOfKey("-----BEGIN EC PRIVATE KEY-----\nAAAA\n", "openssl pkcs8 -topk8");
    expectOfKey(
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        "none of [RSA, EC, EdDSA]");
    Path empty = Files.createFile(directory.resolve("empty"));
    expect(() -> new Trust(empty).trustManager(), empty, "holds no certificate");
  }

  private void expectOfKey(String pem, String problem) throws Exception {
    Identity identity = authority.issue("k");
    Files.writeString(identity.key(), pem);
    expect(identity::keyManager, identity.key(), problem);
  }

  @Test
  void usesWhatReplacesItsFilesAndKeepsWhatItHasIfThatIsUnusable() throws Exception {
    Identity identity = authority.issue("a");
    var keys = identity.keyManager();
    String before = keys.chooseEngineServerAlias("EC", null, null);
    X509Certificate first = keys.getCertificateChain(before)[0];

    authority.issue("a");
    String after = keys.chooseEngineServerAlias("EC", null, null);
    X509Certificate second = keys.getCertificateChain(after)[0];
    assertThat(second).isNotEqualTo(first);
    assertThat(keys.getCertificateChain(before)[0])
        .as("a handshake that has begun goes on with what it began with")
        .isEqualTo(first);

    authority.issueExpired("a");
    assertThat(keys.getCertificateChain(keys.chooseEngineServerAlias("EC", null, null))[0])
        .isEqualTo(second);
  }

  @Test
  void aSecretMayHaveASuccessor() throws IOException {
    String old = "0123456789012345678901234567890123456789";
    String next = old.replace('0', 'x');
    Path file = Files.writeString(directory.resolve("secret"), old + "\n");
    SharedSecret secret = new SharedSecret(file);
    assertThat(secret.accepts(old)).isTrue();
    assertThat(secret.accepts(next)).isFalse();
    assertThat(secret.accepts(null)).isFalse();
    Files.writeString(file, next + "\n" + old + "\n");
    assertThat(secret.accepts(old)).isTrue();
    assertThat(secret.accepts(next)).isTrue();
    assertThat(secret.sent()).isEqualTo(next);
    assertThat(secret.toString()).doesNotContain(next);
  }

  @Test
  void refusesASecretThatCanBeGuessed() throws IOException {
    Path file = Files.writeString(directory.resolve("secret"), "sesame\n");
    expect(() -> new SharedSecret(file), file, "32 to 512 characters");
  }

  /** Reads the form of PEM that other programs write. */
  @Test
  void readsWhatOpensslWrites() throws Exception {
    Path key = directory.resolve("o.key");
    Path certificate = directory.resolve("o.pem");
    Process openssl =
        new ProcessBuilder(
                Tools.program("openssl").toString(),
                "req",
                "-x509",
                "-newkey",
                "ed25519",
                "-nodes",
                "-days",
                "1",
                "-subj",
                "/CN=o",
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    assertThat(openssl.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(openssl.exitValue()).isZero();
    assertThat(new Identity(certificate, key).keyManager()).isNotNull();
  }

  private static void expect(ThrowingCallable use, Path file, String problem) {
    assertThatThrownBy(use).hasMessageContaining(file.toString()).hasMessageContaining(problem);
  }
}
