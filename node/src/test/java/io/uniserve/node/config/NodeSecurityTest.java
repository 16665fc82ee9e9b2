package io.uniserve.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that others can reach does not start unless it is secured, or the lack of security was
 * accepted.
 */
class NodeSecurityTest {
  private static final String TLS = "tls.certificate = c\ntls.key = k\ntls.ca = a\n";
  private static final String CONTROLLER = "roles = controller\ndirectory = d\ncontroller = ";
  private static final String GATEWAY =
      "roles = gateway\ncontroller = 127.0.0.1:7100\ngateway.listen = ";

  @TempDir private Path directory;

  private NodeConfig read(String text) {
    try {
      return NodeConfig.read(Files.writeString(directory.resolve("node.conf"), text));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void refused(String text, String... what) {
    assertThatThrownBy(() -> read(text).exposures())
        .isInstanceOf(UniserveException.class)
        .hasMessageContainingAll(what)
        .hasMessageContaining("insecure = true");
  }

  private void fine(String text) {
    assertThat(read(text).exposures()).isEmpty();
  }

  @Test
  void onLoopbackNothingIsAskedFor() {
    fine(CONTROLLER + "127.0.0.1:7100");
    fine(CONTROLLER + "localhost:7100");
    fine(CONTROLLER + "[::1]:7100");
    fine(GATEWAY + "127.0.0.1:8080");
  }

  @Test
  void processesThatOthersReachNeedTls() {
    String needed = "set tls.certificate, tls.key and tls.ca";
    refused(CONTROLLER + "10.0.0.1:7100", "others can reach 10.0.0.1:7100", needed);
    refused(CONTROLLER + "0.0.0.0:7100", needed);
    refused(CONTROLLER + "nobody-knows.invalid:7100", needed);
    refused(CONTROLLER + "10.0.0.1:7100\ncluster.secret = s", needed);
    fine(TLS + CONTROLLER + "10.0.0.1:7100");
    refused(
        "roles = server\n"
            + "controller = 127.0.0.1:1\n"
            + "directory = d\n"
            + "server.name = s\n"
            + "store = file:/s\n"
            + "server.listen = 192.168.1.7:7101",
        "others can reach 192.168.1.7:7101");
  }

  @Test
  void aGatewayThatOthersReachNeedsACertificateAndTokens() {
    refused(
        GATEWAY + "0.0.0.0:8080",
        "HTTP at 0.0.0.0:8080 is open",
        "gateway.certificate and gateway.key",
        "gateway.tokens");
    refused(GATEWAY + "0.0.0.0:8080\ngateway.tokens = t", "gateway.certificate");
    refused(TLS + GATEWAY + "0.0.0.0:8080", "set gateway.tokens");
    fine(TLS + GATEWAY + "0.0.0.0:8080\ngateway.tokens = t");
    fine(GATEWAY + "0.0.0.0:8080\ngateway.tokens = t\ngateway.certificate = c\ngateway.key = k");
  }

  @Test
  void aGatewayOfAClusterOnSeveralMachinesNeedsTokensEvenOnLoopback() {
    String spread = TLS + "roles = gateway\ncontroller = 10.0.0.1:7100\n";
    refused(spread + "gateway.listen = 127.0.0.1:8080", "set gateway.tokens");
    fine(spread + "gateway.listen = 127.0.0.1:8080\ngateway.tokens = t");
  }

  @Test
  void whatSomebodyAcceptsIsListed() {
    NodeConfig config = read(GATEWAY + "0.0.0.0:8080\ninsecure = true");
    assertThat(config.exposures()).hasSize(1).first().asString().contains("HTTP at 0.0.0.0:8080");
    assertThat(read(CONTROLLER + "10.0.0.1:7100").insecure().exposures()).hasSize(1);
  }

  @Test
  void halfOfAnIdentityIsNone() {
    assertThatThrownBy(() -> read(CONTROLLER + "127.0.0.1:1\ntls.certificate = c"))
        .hasMessageContaining("line 4: 'tls.certificate' needs 'tls.key', too");
    assertThatThrownBy(() -> read(CONTROLLER + "127.0.0.1:1\ntls.key = c"))
        .hasMessageContaining("line 4: 'tls.key' needs 'tls.certificate', too");
    assertThatThrownBy(() -> read(CONTROLLER + "127.0.0.1:1\ntls.ca = c"))
        .hasMessageContaining("'tls.ca' needs the others");
    assertThatThrownBy(() -> read(CONTROLLER + "127.0.0.1:1\ninsecure = yes"))
        .hasMessageContaining("'insecure' must be true or false");
  }
}
