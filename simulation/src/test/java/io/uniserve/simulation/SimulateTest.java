package io.uniserve.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulateTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int run(String... arguments) {
    return Simulate.run(new PrintStream(printed, true, UTF_8), arguments);
  }

  private String printed() {
    return printed.toString(UTF_8);
  }

  @Test
  void playsTheSeedsAskedFor() {
    assertThat(run("--scenario", "ledger", "--seed", "7", "--seeds", "2")).isZero();
    assertThat(printed().lines()).hasSize(2);
    assertThat(printed()).contains("ledger seed 7: ", "ledger seed 8: ");
  }

  @Test
  void printsWhatHappensIfAsked() {
    assertThat(run("--scenario", "ledger", "--trace")).isZero();
    assertThat(printed()).contains("start server-0#1", "the faults have stopped");
  }

  @Test
  void aFailingSeedPrintsTheCommandThatReplaysIt() {
    assertThat(run("--scenario", "ledger-unforced", "--seeds", "100")).isEqualTo(1);
    assertThat(printed())
        .contains("ledger-unforced fails with seed ")
        .contains("Replay: ./uniserve simulate --seed ");
  }

  @Test
  void namesWhatItDoesNotUnderstand() {
    assertThat(run("--sed", "7")).isEqualTo(2);
    assertThat(run("--seed", "seven")).isEqualTo(2);
    assertThat(run("--seed")).isEqualTo(2);
    assertThat(run("--scenario", "unknown")).isEqualTo(2);
    assertThat(printed())
        .contains("unknown option '--sed'")
        .contains("--seed needs a number, not 'seven'")
        .contains("--seed needs a value")
        .contains("there is no scenario 'unknown'")
        .contains("Usage: uniserve simulate");
  }

  @Test
  void anotherProcessReplaysTheSameTrace() throws IOException, InterruptedException {
    assertThat(run("--scenario", "ledger", "--seed", "3")).isZero();
    Process other =
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElseThrow(),
                    "--add-opens",
                    "java.base/java.lang=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Simulate.class.getName(),
                    "--scenario",
                    "ledger",
                    "--seed",
                    "3"))
            .redirectErrorStream(true)
            .start();
    String said = new String(other.getInputStream().readAllBytes(), UTF_8);
    assertThat(other.waitFor()).as(said).isZero();
    assertThat(said).contains(printed().strip());
  }
}
