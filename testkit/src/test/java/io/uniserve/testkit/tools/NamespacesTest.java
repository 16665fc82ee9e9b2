package io.uniserve.testkit.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NamespacesTest {

  @Test
  void whatAProcessLeftThatWasEndedIsRemoved() throws Exception {
    Tools.namespaces().close();
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    String left = Namespaces.prefix(ended.pid()) + "m";
    String other = "other" + ProcessHandle.current().pid();
    ip("link", "add", left, "type", "bridge");
    ip("link", "add", other, "type", "bridge");
    try (Namespaces again = Namespaces.create()) {
      assertThat(interfaceOf(left)).doesNotExist();
      assertThat(interfaceOf(other)).as("not of such a test").exists();
      String own = Namespaces.prefix(ProcessHandle.current().pid()) + "m";
      assertThat(interfaceOf(own)).exists();
      assertThat(again.address("probe")).startsWith("198.1");
    } finally {
      ip("link", "delete", other);
    }
  }

  @Test
  void aNetworkThatTheMachineIsInIsNotTaken() throws Exception {
    Tools.namespaces().close();
    String other = "other" + ProcessHandle.current().pid();
    ip("link", "add", other, "type", "bridge");
    try {
      ip("address", "add", Namespaces.network(0) + "1/24", "dev", other);
      ip("link", "set", other, "up");
      try (Namespaces made = Namespaces.create()) {
        assertThat(made.address("probe")).startsWith(Namespaces.network(1));
      }
    } finally {
      ip("link", "delete", other);
    }
  }

  @Test
  void twoThatAreApartReachAllOthers() throws Exception {
    try (Namespaces hosts = Tools.namespaces()) {
      for (String name : List.of("a", "b", "c")) {
        hosts.address(name);
      }
      hosts.part("a", "b");
      assertThat(reaches(hosts, "a", "b")).isFalse();
      assertThat(reaches(hosts, "b", "a")).isFalse();
      assertThat(reaches(hosts, "a", "c")).isTrue();
      assertThat(reaches(hosts, "c", "b")).isTrue();
      hosts.join("a", "b");
      assertThat(reaches(hosts, "a", "b")).isTrue();
      assertThat(reaches(hosts, "b", "a")).isTrue();
    }
  }

  /**
   * Returns whether one process reaches another: it connects to an unused port, which a reached
   * process refuses at once.
   */
  private static boolean reaches(Namespaces hosts, String from, String to) throws Exception {
    List<String> command = new ArrayList<>(hosts.commandPrefix(from));
    command.addAll(List.of("bash", "-c", "exec 3<>/dev/tcp/" + hosts.address(to) + "/9"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      return process.waitFor(2, TimeUnit.SECONDS)
          && new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
              .contains("refused");
    } finally {
      process.destroyForcibly();
    }
  }

  private static Path interfaceOf(String name) {
    return Path.of("/sys/class/net", name);
  }

  private static void ip(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
