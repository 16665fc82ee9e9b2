package io.uniserve.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.access.Access;
import io.uniserve.node.access.Rights;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.access.Tokens;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.notes.LocalClient;
import io.uniserve.node.remote.RemoteAddress;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.runtime.wire.tls.Identity;
import io.uniserve.runtime.wire.tls.Trust;
import io.uniserve.testkit.tls.Certificates;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP over TLS, with the command line's own client. */
class HttpsTest {
  private final LocalClient cluster = new LocalClient();

  @TempDir private Path directory;
  private Certificates<Identity> authority;
  private Identity identity;
  private HttpService service;
  private Path token;

  @BeforeEach
  void start() throws Exception {
    authority = new Certificates<>(directory.resolve("ours"), Identity::new);
    identity = authority.issue("web");
    TokenFile tokens = new TokenFile(directory.resolve("tokens"));
    token =
        Files.writeString(
            directory.resolve("token"), tokens.create("ops", Rights.ALL) + System.lineSeparator());
    service =
        new HttpService(
            cluster,
            List.of(),
            HttpSettings.onPort(0)
                .secured(Access.byToken(new Tokens(tokens)), Optional.of(identity)));
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private RemoteCluster connect(Path authorities) {
    return new RemoteCluster(
        new RemoteAddress(
            "https://127.0.0.1:" + service.port(), Optional.of(authorities), Optional.of(token)));
  }

  @Test
  void answersThoseWhoTrustIt() {
    assertThat(service.url()).isEqualTo("https://localhost:" + service.port());
    try (RemoteCluster remote = connect(authority.authorities())) {
      assertThat(remote.get("/api/cluster")).containsKey("servers");
    }
  }

  @Test
  void isNotTrustedByThoseOfAnotherAuthority() throws Exception {
    Path strangers = new Certificates<>(directory.resolve("theirs"), Identity::new).authorities();
    try (RemoteCluster remote = connect(strangers)) {
      assertThatThrownBy(() -> remote.get("/api/cluster"))
          .isInstanceOfSatisfying(
              UniserveException.class,
              e -> assertThat(e.retryable()).as("no retry mends a certificate").isFalse())
          .hasMessageContaining("its certificate is of no authority that is trusted here");
    }
  }

  @Test
  void doesNotAnswerWithoutEncryption() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", service.port())) {
      socket.getOutputStream().write("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".getBytes());
      String answer = read(socket.getInputStream());
      assertThat(answer).doesNotContain("healthy");
    }
  }

  private static String read(InputStream in) {
    try {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (java.io.IOException e) {
      return ""; // reset
    }
  }

  @Test
  void cookiesStayWithinTls() throws Exception {
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(
        null, new TrustManager[] {new Trust(authority.authorities()).trustManager()}, null);
    String body = "{\"token\":\"" + Files.readString(token).strip() + "\"}";
    try (Socket socket = trusting.getSocketFactory().createSocket("127.0.0.1", service.port())) {
      String request =
          "POST /api/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n"
              + body;
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(read(socket.getInputStream())).contains("SameSite=Strict; Secure");
    }
  }

  @Test
  void showsTheCertificateThatReplacesItsOwn() throws Exception {
    X509Certificate before = shown();
    authority.issue("web");
    assertThat(shown()).isNotEqualTo(before);
  }

  private X509Certificate shown() throws Exception {
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(
        null, new TrustManager[] {new Trust(authority.authorities()).trustManager()}, null);
    try (SSLSocket socket =
        (SSLSocket) trusting.getSocketFactory().createSocket("127.0.0.1", service.port())) {
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  @Test
  void aTokenIsNotSentWithoutEncryption() {
    assertThatThrownBy(
            () -> new RemoteAddress("http://10.0.0.1:8080", Optional.empty(), Optional.of(token)))
        .hasMessageContaining("a token is not sent without encryption");
  }
}
