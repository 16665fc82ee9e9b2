package io.uniserve.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.uniserve.node.config.NodeConfig.Role;
import io.uniserve.runtime.control.settings.SplitSettings;
import io.uniserve.runtime.server.base.ScrubSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class NodeConfigTest {
  private static final String SERVER =
      """
      # a server
      roles = server , gateway
      controller = 10.0.0.1:7100

      directory = /data
      server.name = s1
      server.listen = [::1]:7101
      server.workers = 6
      gateway.listen = 0.0.0.0:8080
      store = file:/srv/store
      """;

  @TempDir private Path directory;

  @Test
  void readsEveryRole() throws IOException {
    NodeConfig config = read(SERVER);
    assertThat(config.roles()).containsExactly(Role.SERVER, Role.GATEWAY);
    assertThat(config.controllers()).containsExactly(new HostPort("10.0.0.1", 7100));
    assertThat(config.controller()).isEmpty();
    assertThat(config.server().orElseThrow())
        .isEqualTo(
            new NodeConfig.ServerPart(
                "s1",
                new HostPort("[::1]", 7101),
                java.util.Optional.of(6),
                java.util.Optional.empty(),
                ScrubSettings.DEFAULT));
    assertThat(config.gateway().orElseThrow().port()).isEqualTo(8080);
    assertThat(config.store()).contains("file:/srv/store");
  }

  @Test
  void readsHowManyPagesOfScansAreReadAtATime() throws IOException {
    assertThat(read(SERVER + "server.scan-slots = 2\n").server().orElseThrow().scanSlots())
        .contains(2);
  }

  @Test
  void readsHowDamageIsLookedFor() throws IOException {
    assertThat(scrub(SERVER + "server.scrub-mebibytes-per-second = 0\n"))
        .isEqualTo(new ScrubSettings(0, ScrubSettings.DEFAULT.pause()));
    assertThat(
            scrub(
                SERVER
                    + "server.scrub-mebibytes-per-second = 3000\n"
                    + "server.scrub-pause-minutes = 1440\n"))
        .isEqualTo(new ScrubSettings(3_000L << 20, Duration.ofDays(1)));
    expect(
        SERVER + "server.scrub-mebibytes-per-second = -1\n",
        "line 11: 'server.scrub-mebibytes-per-second' must be 0 to 999999999, not '-1'");
    expect(
        SERVER + "server.scrub-pause-minutes = 0\n",
        "line 11: 'server.scrub-pause-minutes' must be 1 to 999999999, not '0'");
  }

  private ScrubSettings scrub(String text) throws IOException {
    return read(text).server().orElseThrow().scrub();
  }

  @Test
  void namesAnUnknownKeyItsLineAndTheNearestOne() {
    expect(
        SERVER.replace("server.listen", "server.lissten"),
        "node.conf, line 7: unknown key 'server.lissten'; did you mean 'server.listen'?");
    expect(
        SERVER.replace("store", "quux"),
        "line 10: unknown key 'quux'; known are roles, controller, controller.listen");
  }

  @Test
  void namesTheLineOfWhatIsWrong() {
    expect(SERVER.replace("server , gateway", "server, gatway"), "line 2: 'roles' are controller");
    expect(SERVER.replace("10.0.0.1:7100", "10.0.0.1"), "line 3: 'controller' must be host:port");
    expect(SERVER.replace("7100", "71000"), "line 3: 'controller' must be host:port");
    expect(SERVER.replace("= 6", "= many"), "line 8: 'server.workers' must be 1 to 1024");
    expect(
        SERVER + "server.scan-slots = 0\n",
        "line 11: 'server.scan-slots' must be 1 to 1024, not '0'");
    expect(SERVER.replace("= 6", "="), "line 8: 'server.workers' has no value");
    expect(SERVER + "controller = h:1\n", "line 11: 'controller' is given already in line 3");
    expect(SERVER + "hello\n", "line 11: a line must be 'key = value', not 'hello'");
  }

  @Test
  void acceptsFormerNamesAndWarnsOnceForAFile() throws IOException {
    Logger log = (Logger) LoggerFactory.getLogger(FormerNames.class);
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    log.addAppender(logged);
    try {
      NodeConfig config =
          read(
              """
              roles = router, gateway
              router = h:1, h:2
              router.listen = h:2
              router.log = memory
              router.timeout-millis = 700
              directory = /data
              gateway.listen = h:80
              """);
      assertThat(config.roles()).containsExactly(Role.CONTROLLER, Role.GATEWAY);
      assertThat(config.controllers()).containsExactly(new HostPort("h", 1), new HostPort("h", 2));
      NodeConfig.ControllerPart part = config.controller().orElseThrow();
      assertThat(part.listen()).isEqualTo(new HostPort("h", 2));
      assertThat(part.durable()).isFalse();
      assertThat(part.failureTimeout()).isEqualTo(Duration.ofMillis(700));
      assertThat(logged.list).hasSize(1);
      assertThat(logged.list.getFirst().getFormattedMessage())
          .contains("node.conf has former names, which are still accepted: ")
          .contains("key 'router' in line 2 is now 'controller'")
          .contains("key 'router.listen' in line 3 is now 'controller.listen'")
          .contains("key 'router.log' in line 4 is now 'controller.log'")
          .contains("key 'router.timeout-millis' in line 5 is now 'controller.timeout-millis'")
          .contains("role 'router' in line 1 is now 'controller'");
      logged.list.clear();
      read(SERVER);
      assertThat(logged.list).isEmpty();
    } finally {
      log.detachAppender(logged);
    }
    expect(SERVER + "router = h:1\n", "line 11: 'router' is given already in line 3");
    expect(
        "roles = router\ndirectory = d\nrouter = h:1\nrouter.log = tape\n",
        "line 4: 'router.log' must be disk or memory");
  }

  @Test
  void readsWhatIsSplitUnasked() throws IOException {
    String controller = "roles = controller\ncontroller = h:1\ndirectory = /data\n";
    assertThat(splits(controller)).isEqualTo(SplitSettings.DEFAULT);
    assertThat(splits(controller + "placement.split-mebibytes = 3\n"))
        .isEqualTo(new SplitSettings(3 << 20, SplitSettings.DEFAULT.loadMax()));
    assertThat(splits(controller + "placement.split-threads = 4\n"))
        .isEqualTo(new SplitSettings(SplitSettings.DEFAULT.bytesMax(), 4));
    for (String wrong : List.of("0", "-1", "much", "" + Long.MAX_VALUE)) {
      expect(
          controller + "placement.split-mebibytes = " + wrong + "\n",
          "line 4: 'placement.split-mebibytes' must be");
    }
  }

  private SplitSettings splits(String contents) throws IOException {
    return read(contents).controller().orElseThrow().placement().splits();
  }

  @Test
  void tellsWhatIsMissingAndWhatFor() {
    expect(without("controller"), "'controller' is missing; every process must know");
    expect(without("directory"), "'directory' is missing; controllers and servers keep data there");
    expect(without("server.name"), "'server.name' is missing");
    expect(without("gateway.listen"), "'gateway.listen' is missing; a gateway serves HTTP there");
    expect(without("store"), "'store' is missing; servers back up their actors there");
    assertThatThrownBy(() -> NodeConfig.read(directory.resolve("absent")))
        .hasMessage("there is no file " + directory.resolve("absent"));
  }

  private static String without(String key) {
    return SERVER.replaceAll("(?m)^" + key + " .*\n", "");
  }

  private void expect(String contents, String message) {
    assertThatThrownBy(() -> read(contents)).hasMessageContaining(message);
  }

  private NodeConfig read(String contents) throws IOException {
    Path file = directory.resolve("node.conf");
    Files.write(file, List.of(contents.split("\n", -1)));
    return NodeConfig.read(file);
  }
}
