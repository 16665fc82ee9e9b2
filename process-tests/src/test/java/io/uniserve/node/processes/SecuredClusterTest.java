package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.access.Rights;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.config.HostPort;
import io.uniserve.node.remote.RemoteAddress;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.runtime.wire.tls.Identity;
import io.uniserve.testkit.tls.Certificates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a cluster of processes that trust nobody without a certificate, a secret or a token. */
@Tag("processes")
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // one cluster serves all tests
class SecuredClusterTest {
  private static final String SECRET = "the-secret-of-the-cluster-0123456789";

  private final Map<String, Process> processes = new LinkedHashMap<>();
  private final String controller = "127.0.0.1:" + Jvm.freePort();
  private final int http = Jvm.freePort();

  private Path directory;
  private Certificates<Identity> authority;
  private String token;

  @BeforeAll
  void start(@TempDir Path itsDirectory) throws Exception {
    directory = itsDirectory;
    authority = new Certificates<>(directory.resolve("pki"), Identity::new);
    Files.writeString(directory.resolve("secret"), SECRET + "\n");
    token = new TokenFile(directory.resolve("tokens")).create("ops", Rights.ALL);
    Files.writeString(directory.resolve("token"), token + "\n");
    start(
        "controller",
        authority.issue("controller"),
        "roles = controller",
        directoryOf("controller"));
    startServer("s1", authority.issue("s1"));
    start(
        "gateway",
        authority.issue("gateway"),
        "roles = gateway",
        "gateway.listen = 127.0.0.1:" + http,
        "gateway.tokens = " + directory.resolve("tokens"));
    await("s1", () -> alive() == 1);
  }

  private void startServer(String name, Identity identity) throws IOException {
    start(
        name,
        identity,
        "roles = server",
        directoryOf(name),
        "server.name = " + name,
        "server.listen = 127.0.0.1:" + Jvm.freePort(),
        "store = " + directory.resolve("store").toUri());
  }

  private String directoryOf(String name) {
    return "directory = " + directory.resolve(name);
  }

  private void start(String name, Identity identity, String... settings) throws IOException {
    List<String> lines = new ArrayList<>(List.of(settings));
    lines.add("controller = " + controller);
    lines.add("tls.certificate = " + identity.certificate());
    lines.add("tls.key = " + identity.key());
    lines.add("tls.ca = " + authority.authorities());
    lines.add("cluster.secret = " + directory.resolve("secret"));
    Path config = Files.write(directory.resolve(name + ".conf"), lines);
    processes.put(
        name,
        Jvm.command(192, "--log", "trace", "node", "--config", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(log(name).toFile())
            .start());
  }

  private Path log(String name) {
    return directory.resolve(name + ".log");
  }

  @AfterAll
  void stop() {
    processes.values().forEach(Process::destroyForcibly);
    processes.values().forEach(process -> process.onExit().join());
  }

  private RemoteCluster connect() {
    return new RemoteCluster(
        new RemoteAddress(
            "https://localhost:" + http,
            Optional.of(authority.authorities()),
            Optional.of(directory.resolve("token"))));
  }

  private long alive() {
    try (RemoteCluster remote = connect()) {
      return ProcessCluster.alive(remote.get("/api/cluster"));
    } catch (UniserveException e) {
      return 0; // the gateway does not listen yet
    }
  }

  private void await(String what, BooleanSupplier condition) throws IOException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain for " + what + "; " + logs());
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  private String logs() throws IOException {
    StringBuilder logs = new StringBuilder();
    for (String name : processes.keySet()) {
      logs.append("\n--- ").append(name).append('\n').append(Files.readString(log(name)));
    }
    return logs.toString();
  }

  private boolean logged(String name, String text) {
    try {
      return Files.readString(log(name)).contains(text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void worksForMembersAndForThoseWithATokenAndTellsNoSecrets() throws Exception {
    try (RemoteCluster remote = connect()) {
      Waiting.forTable(
          remote, Map.of("name", "notes", "engine", "notes", "actors", 2L, "replicas", 1L));
      String lines = "{\"id\":\"a\",\"text\":\"text\"}\n{\"id\":\"b\",\"text\":\"text\"}\n";
      remote.postRecords("/api/tables/notes/records", StandardCharsets.UTF_8.encode(lines), "one");
    }
    Process query =
        Jvm.command(
                64,
                "query",
                "notes",
                "text",
                "--url",
                "https://localhost:" + http,
                "--ca",
                authority.authorities().toString(),
                "--token-file",
                directory.resolve("token").toString())
            .redirectErrorStream(true)
            .start();
    String shown = new String(query.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(query.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(shown).startsWith("2 matches in ");
    assertThat(logs())
        .contains("Running as gateway, https://")
        .doesNotContain(token)
        .doesNotContain(SECRET)
        .doesNotContain("BEGIN PRIVATE KEY");
  }

  @Test
  void aServerOfAnotherAuthorityDoesNotJoinAndSaysWhy() throws Exception {
    Certificates<Identity> strangers =
        new Certificates<>(directory.resolve("theirs"), Identity::new);
    startServer("s2", strangers.issue("s2"));
    await("s2's complaint", () -> logged("s2", "it refuses the certificate of this process"));
    assertThat(alive()).isEqualTo(1);
  }

  @Test
  void aCallerWithoutACertificateHearsNothing() throws Exception {
    Identity member = authority.issue("caller");
    SslContextBuilder known = SslContextBuilder.forClient();
    known.keyManager(member.certificate().toFile(), member.key().toFile());
    assertThat(firstByte(known)).as("what a member hears").isNotNegative();
    assertThatThrownBy(() -> firstByte(SslContextBuilder.forClient()))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("certificate");
  }

  /**
   * Returns the first byte that the controller sends to a caller over HTTP/2. It belongs to the
   * controller's settings.
   */
  private int firstByte(SslContextBuilder caller) throws IOException {
    JdkSslContext context =
        (JdkSslContext)
            caller
                .sslProvider(SslProvider.JDK)
                .trustManager(authority.authorities().toFile())
                .build();
    HostPort address = HostPort.parse(controller).orElseThrow();
    try (SSLSocket socket =
        (SSLSocket)
            context.context().getSocketFactory().createSocket(address.host(), address.port())) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.setSoTimeout((int) Duration.ofSeconds(60).toMillis());
      socket.startHandshake();
      return socket.getInputStream().read();
    }
  }

  @Test
  void aProcessThatOthersCouldReachUnsecuredDoesNotStart() throws Exception {
    Path config =
        Files.write(
            directory.resolve("open.conf"),
            List.of(
                "roles = gateway",
                "controller = 127.0.0.1:7100",
                "gateway.listen = 0.0.0.0:" + Jvm.freePort()));
    Process open =
        Jvm.command(64, "node", "--config", config.toString()).redirectErrorStream(true).start();
    String told = new String(open.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(open.waitFor()).isEqualTo(1);
    assertThat(told)
        .startsWith("uniserve: HTTP at 0.0.0.0:")
        .contains("gateway.certificate and gateway.key and gateway.tokens")
        .contains("--insecure");
  }
}
