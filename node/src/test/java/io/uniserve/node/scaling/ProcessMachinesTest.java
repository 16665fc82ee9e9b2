package io.uniserve.node.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The machines of processes, with a program that only waits. */
@Timeout(60)
class ProcessMachinesTest {
  @TempDir private Path directory;

  private ProcessSettings settings(String body) {
    try {
      Path program = directory.resolve("program");
      if (!Files.exists(program)) { // a shell that begins to read it must find it whole
        Files.writeString(program, "#!/bin/sh\n" + body + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
      }
      Path template = directory.resolve("template");
      Files.writeString(template, "server.name = {name}\nport {port} of {number}\n");
      return new ProcessSettings(
          template, directory.resolve("servers"), 7101, 3, List.of(program.toString()));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private ProcessMachines waiting() {
    return new ProcessMachines(settings("exec sleep 600"));
  }

  private static TreeSet<String> servers(String... names) {
    return new TreeSet<>(List.of(names));
  }

  private LocalProcess process(String name) {
    return new LocalProcess(directory.resolve("servers/" + name + ".pid"));
  }

  private long pid(String name) {
    return process(name).handle().orElseThrow().pid();
  }

  @AfterEach
  void endAll() {
    for (String name : List.of("s1", "s2", "s3")) {
      process(name).handle().ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void startsWhatIsWantedAndEndsWhatIsNot() throws IOException {
    ProcessMachines machines = waiting();
    machines.make(1, servers("s1", "s3"));
    assertThat(process("s1").handle()).isPresent();
    assertThat(process("s2").handle()).isEmpty();
    assertThat(Files.readString(directory.resolve("servers/s3.conf")))
        .isEqualTo("server.name = s3\nport 7103 of 3\n");
    machines.make(2, servers("s1"));
    awaitEnd(machines, "s3");
    assertThat(process("s1").handle()).isPresent();
  }

  private void awaitEnd(ProcessMachines machines, String name) {
    while (process(name).started().isPresent()) {
      LockSupport.parkNanos(10_000_000);
      machines.make(2, servers("s1"));
    }
  }

  @Test
  void whatRunsIsNotStartedAgainByAnybody() {
    waiting().make(1, servers("s1"));
    long first = pid("s1");
    waiting().make(2, servers("s1"));
    assertThat(pid("s1")).isEqualTo(first);
  }

  @Test
  void aFormerLeaderChangesNothing() {
    waiting().make(10, servers("s1", "s2"));
    waiting().make(9, servers("s1"));
    waiting().make(9, servers("s1", "s2", "s3"));
    assertThat(process("s2").handle()).isPresent();
    assertThat(process("s3").handle()).isEmpty();
  }

  @Test
  void whatWasKilledIsStartedAgainOnceItIsOldEnough() throws IOException {
    ProcessMachines machines = waiting();
    machines.make(1, servers("s1"));
    long first = pid("s1");
    ProcessHandle killed = process("s1").handle().orElseThrow();
    killed.destroyForcibly();
    killed.onExit().join();
    assertThatThrownBy(() -> machines.make(2, servers("s1")))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("s1 ended soon after its start, see")
        .hasMessageContaining("s1.log");
    Instant longAgo = Instant.now().minus(Duration.ofMinutes(1));
    Files.writeString(
        directory.resolve("servers/s1.pid"), first + " " + longAgo.toEpochMilli() + "\n");
    machines.make(3, servers("s1"));
    assertThat(pid("s1")).isNotEqualTo(first);
  }

  /** Numbers of processes are reused, so another process of that number is left alone. */
  @Test
  void aStrangerIsNotEnded() throws IOException {
    Process stranger = new ProcessBuilder("sleep", "600").start();
    try {
      ProcessMachines machines = waiting();
      machines.make(1, servers("s1"));
      Instant before = Instant.now().minus(Duration.ofMinutes(5));
      Files.writeString(
          directory.resolve("servers/s2.pid"), stranger.pid() + " " + before.toEpochMilli());
      machines.make(2, servers("s1"));
      machines.make(3, servers("s1"));
      assertThat(stranger.isAlive()).isTrue();
      assertThat(process("s2").started()).isEmpty();
    } finally {
      stranger.destroyForcibly();
    }
  }

  @Test
  void aServerWithoutAPortIsRefused() {
    assertThatThrownBy(() -> waiting().make(1, servers("s4")))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EXHAUSTED))
        .hasMessageContaining("s4");
  }

  @Test
  void settingsThatAreMissingOrWrongAreNamed() {
    Map<String, String> all =
        Map.of("template", "t", "directory", "d", "ports", "7101-7110", "provider", "process");
    assertThat(ProcessSettings.of(new TreeMap<>(all), List.of("java")).serversMax()).isEqualTo(10);
    for (String key : List.of("template", "directory", "ports")) {
      TreeMap<String, String> some = new TreeMap<>(all);
      some.remove(key);
      assertThatThrownBy(() -> ProcessSettings.of(some, List.of()))
          .hasMessageContaining("'scale." + key + "'");
    }
    for (String ports : List.of("7101", "7110-7101", "7101-70000", "a-b")) {
      TreeMap<String, String> wrong = new TreeMap<>(all);
      wrong.put("ports", ports);
      assertThatThrownBy(() -> ProcessSettings.of(wrong, List.of())).hasMessageContaining(ports);
    }
  }
}
