package io.uniserve.runtime.wire.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.wire.grpc.TestMessage.Text;
import io.uniserve.runtime.wire.tls.Identity;
import io.uniserve.runtime.wire.tls.SharedSecret;
import io.uniserve.runtime.wire.tls.Trust;
import io.uniserve.testkit.tls.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admission of peers over real sockets, and the answers to those that are refused. */
class GrpcSecurityTest extends GrpcFixture {
  private final List<GrpcTransport> made = new ArrayList<>();
  private final AtomicInteger handled = new AtomicInteger();

  @TempDir private Path directory;
  private Certificates<Identity> authority;
  private Certificates<Identity> stranger;
  private Identity s1;

  @BeforeEach
  void makeAuthorities() throws Exception {
    authority = new Certificates<>(directory.resolve("ours"), Identity::new);
    stranger = new Certificates<>(directory.resolve("theirs"), Identity::new);
    s1 = authority.issue("s1");
  }

  @AfterEach
  void closeAll() {
    made.forEach(GrpcTransport::close);
  }

  private GrpcTransport transport(GrpcSecurity security) {
    GrpcTransport transport =
        new GrpcTransport(clock, threads, TestMessage.CODEC, GrpcSettings.DEFAULT, security);
    made.add(transport);
    return transport;
  }

  private GrpcTransport tls(Identity identity, Trust trust) {
    return transport(GrpcSecurity.tls(identity, trust, Optional.empty()));
  }

  private Address listen(GrpcTransport transport) {
    return transport
        .listen(
            ANY,
            (request, call) -> {
              handled.incrementAndGet();
              echo(request, call);
            })
        .address();
  }

  private void expectAnswer(GrpcTransport caller, Address to) throws Exception {
    Replies got = new Replies();
    caller.call(to, new Text("hello"), in(20_000), got);
    assertThat(got.next()).isEqualTo(new Text("hello"));
    assertThat(got.completedNext()).isTrue();
  }

  private UniserveException refusal(GrpcTransport caller, Address to) throws Exception {
    int before = handled.get();
    Replies got = new Replies();
    caller.call(to, new Text("hello"), in(20_000), got);
    UniserveException failure = got.failure();
    assertThat(handled).hasValue(before);
    return failure;
  }

  @Test
  void membersTalk() throws Exception {
    Address address = listen(tls(s1, new Trust(authority.authorities())));
    expectAnswer(tls(authority.issueRsa("s2"), new Trust(authority.authorities())), address);
  }

  @Test
  void aCallerOfAnotherAuthorityIsRefused() throws Exception {
    Address address = listen(tls(s1, new Trust(authority.authorities())));
    GrpcTransport caller = tls(stranger.issue("s2"), new Trust(authority.authorities()));
    UniserveException failure = refusal(caller, address);
    assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("refuses the certificate of this process");
  }

  @Test
  void aCallerThatShowsNoCertificateIsRefused() throws Exception {
    Address address = listen(tls(s1, new Trust(authority.authorities())));
    int port = Integer.parseInt(address.value().substring(address.value().indexOf(':') + 1));
    SSLContext nobody = SSLContext.getInstance("TLS");
    nobody.init(null, new TrustManager[] {new Trust(authority.authorities()).trustManager()}, null);
    try (SSLSocket socket = (SSLSocket) nobody.getSocketFactory().createSocket("127.0.0.1", port)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(20_000);
      // An admitted peer is sent the settings of the connection at once.
      assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SSLException.class);
    }
  }

  @Test
  void whatACallerOfAnotherAuthorityTellsIsNotHeard() throws Exception {
    Address address = listen(tls(s1, new Trust(authority.authorities())));
    GrpcTransport caller = tls(stranger.issue("s2"), new Trust(authority.authorities()));
    for (int i = 0; i < 20; i++) {
      caller.tell(address, new Text("stranger"), in(20_000));
    }
    refusal(caller, address); // nor was the earlier message over the same connection handled
    assertThat(handled).hasValue(0);
    GrpcTransport member = tls(authority.issue("s2"), new Trust(authority.authorities()));
    member.tell(address, new Text("member"), in(20_000));
    expectAnswer(member, address);
    assertThat(handled).hasValue(2);
  }

  @Test
  void aServerOfAnotherAuthorityIsNotTrusted() throws Exception {
    Address address = listen(tls(s1, new Trust(authority.authorities())));
    GrpcTransport caller = tls(authority.issue("s2"), new Trust(stranger.authorities()));
    assertThat(refusal(caller, address))
        .hasMessageContaining(address.value())
        .hasMessageContaining("its certificate is of no authority that is trusted here");
  }

  @Test
  void aServerWhoseCertificateHasExpiredIsNotTrusted() throws Exception {
    try (SSLServerSocket late =
        (SSLServerSocket)
            authority.expiredServer().getServerSocketFactory().createServerSocket(0, 1, null)) {
      SSLParameters parameters = late.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      late.setSSLParameters(parameters);
      Thread accepting = Thread.ofVirtual().start(() -> shakeHands(late));
      Address address = new Address("127.0.0.1:" + late.getLocalPort());
      assertThat(refusal(tls(authority.issue("s2"), new Trust(authority.authorities())), address))
          .hasMessageContaining("its certificate has expired (NotAfter: ");
      accepting.join();
    }
  }

  private static void shakeHands(SSLServerSocket server) {
    try (SSLSocket socket = (SSLSocket) server.accept()) {
      socket.startHandshake();
    } catch (IOException e) {
      // the caller ends the call
    }
  }

  @Test
  void anExpiredCertificateIsNotEvenUsed() throws Exception {
    Identity expired = authority.issueExpired("old");
    assertThatThrownBy(() -> tls(expired, new Trust(authority.authorities())))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining(expired.certificate() + ": the certificate of CN=old expired at ");
  }

  @Test
  void aServerAtAnotherAddressIsNotTrusted() throws Exception {
    Address address =
        listen(tls(authority.issueElsewhere("s1"), new Trust(authority.authorities())));
    assertThat(refusal(tls(authority.issue("s2"), new Trust(authority.authorities())), address))
        .hasMessageContaining("its certificate is of another name");
  }

  @Test
  void aCallerWithoutTlsIsRefused() throws Exception {
    Address address = listen(tls(s1, new Trust(authority.authorities())));
    assertThat(refusal(transport(GrpcSecurity.NONE), address).code())
        .isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void aServerWithoutTlsIsNamed() throws Exception {
    Address address = listen(transport(GrpcSecurity.NONE));
    assertThat(refusal(tls(s1, new Trust(authority.authorities())), address))
        .hasMessageContaining("it does not speak TLS");
  }

  @Test
  void aSecretIsAskedForWithAndWithoutTls() throws Exception {
    SharedSecret right = secret("right", "a".repeat(40));
    SharedSecret wrong = secret("wrong", "b".repeat(40));
    Identity s2 = authority.issue("s2");

    Address plain = listen(transport(GrpcSecurity.secret(right)));
    expectAnswer(transport(GrpcSecurity.secret(right)), plain);
    assertThat(refusal(transport(GrpcSecurity.secret(wrong)), plain).code())
        .isEqualTo(ErrorCode.UNAUTHENTICATED);
    assertThat(refusal(transport(GrpcSecurity.NONE), plain).code())
        .isEqualTo(ErrorCode.UNAUTHENTICATED);

    Address encrypted =
        listen(
            transport(
                GrpcSecurity.tls(s1, new Trust(authority.authorities()), Optional.of(right))));
    expectAnswer(
        transport(GrpcSecurity.tls(s2, new Trust(authority.authorities()), Optional.of(right))),
        encrypted);
    assertThat(refusal(tls(s2, new Trust(authority.authorities())), encrypted).code())
        .isEqualTo(ErrorCode.UNAUTHENTICATED);
  }

  private SharedSecret secret(String name, String text) throws Exception {
    return new SharedSecret(Files.writeString(directory.resolve(name), text + "\n"));
  }

  @Test
  void authoritiesAndCertificatesChangeWhileItRuns() throws Exception {
    Path trusted = directory.resolve("trusted.pem");
    Files.copy(authority.authorities(), trusted);
    Address address = listen(tls(s1, new Trust(trusted)));
    Identity theirs = stranger.issue("s2");
    assertThat(refusal(tls(theirs, new Trust(authority.authorities())), address))
        .hasMessageContaining("refuses the certificate");

    Files.writeString(
        trusted,
        Files.readString(authority.authorities()) + Files.readString(stranger.authorities()));
    expectAnswer(tls(theirs, new Trust(authority.authorities())), address);
  }
}
