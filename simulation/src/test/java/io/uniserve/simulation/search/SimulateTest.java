package io.uniserve.simulation.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.simulation.run.Run;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateTest {
  @TempDir private Path directory;
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
    assertThat(runUnforced("--shrink", "0")).isEqualTo(1);
    assertThat(printed())
        .contains("ledger-unforced fails with seed ")
        .contains("Replay: ./uniserve simulate --seed ");
  }

  private int runUnforced(String... more) {
    List<String> arguments = new ArrayList<>(List.of("--scenario", "ledger-unforced"));
    arguments.addAll(List.of("--seeds", "100", "--runs", directory.toString()));
    arguments.addAll(List.of(more));
    return run(arguments.toArray(String[]::new));
  }

  @Test
  void aFailingRunIsWrittenAndASmallerOneBesideItAndBothFailAlike() throws IOException {
    assertThat(runUnforced("--shrink", "20")).isEqualTo(1);
    String what = printed().lines().findFirst().orElseThrow();
    List<Path> files = new ArrayList<>();
    try (Stream<Path> written = Files.list(directory)) {
      written.sorted(Comparator.comparing(Path::toString)).forEach(files::add);
    }
    assertThat(files).hasSize(2);
    Path small = files.getFirst();
    assertThat(small).asString().endsWith("-small.run");
    assertThat(printed()).contains("./uniserve simulate --run " + small);
    int faults = Run.read(Files.readString(files.getLast())).faults().size();
    assertThat(Run.read(Files.readString(small)).faults())
        .as("a power failure, and what holds a copy back")
        .hasSizeLessThan(faults / 2);
    for (Path file : files) {
      printed.reset();
      assertThat(run("--run", file.toString(), "--shrink", "0", "--runs", directory.toString()))
          .isEqualTo(1);
      assertThat(printed())
          .contains(what.contains("SAME_ORDER") ? "SAME_ORDER_ON_COPIES" : "ACKNOWLEDGED_SURVIVES");
    }
  }

  @Test
  void theRunOfAFileDoesWhatTheSeedDoes() {
    Path file = directory.resolve("seed.run");
    assertThat(run("--scenario", "ledger", "--seed", "3", "--save", file.toString())).isZero();
    String ofSeed = printed();
    printed.reset();
    assertThat(run("--run", file.toString())).isZero();
    assertThat(printed()).isEqualTo(ofSeed);
  }

  @Test
  void goesOnUntilTheTimeIsUp() {
    assertThat(run("--scenario", "ledger", "--minutes", "0")).isZero();
    assertThat(printed()).startsWith("0 of 0 seeds fail");
  }

  @Test
  void namesWhatIsWrongWithAFile() throws IOException {
    Path file = directory.resolve("bad.run");
    Files.writeString(file, "scenario ledger\nseed 1\nfault CRASH 1 2 server-0\n");
    assertThat(run("--run", file.toString())).isEqualTo(2);
    Files.writeString(file, "scenario cluster\nseed 1\n");
    assertThat(run("--run", file.toString())).isEqualTo(2);
    Files.writeString(file, "scenario ledger\nseed 1\nfault CRASH 1 2 server-9 - 0\n");
    assertThat(run("--run", file.toString())).isEqualTo(2);
    assertThat(run("--run", directory.resolve("none.run").toString())).isEqualTo(2);
    assertThat(printed())
        .contains("fault CRASH 1 2 server-0")
        .contains("the run has no 'routers'")
        .contains("server-9")
        .contains("none.run");
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
