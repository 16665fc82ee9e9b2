package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamespacesTest {

  @Test
  void whatAProcessLeftThatWasEndedIsRemoved() throws Exception {
    Namespaces.orSkip().close();
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
    Namespaces.orSkip().close();
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

  private static Path interfaceOf(String name) {
    return Path.of("/sys/class/net", name);
  }

  private static void ip(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
