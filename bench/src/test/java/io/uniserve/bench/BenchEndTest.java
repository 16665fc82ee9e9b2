package io.uniserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BenchEndTest {
  /** A benchmark that starts a system and then measures without end. */
  static final class Endless {
    private Endless() {}

    public static void main(String[] arguments) throws Exception {
      Bench.endProcessesAtTheEnd();
      Process system = new ProcessBuilder("sleep", "600").start();
      System.out.println(system.pid());
      system.waitFor();
    }
  }

  @Test
  @Timeout(60)
  void whoeverEndsABenchmarkEndsWhatItHasStarted() throws Exception {
    Process benchmark =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Endless.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      ProcessHandle system = ProcessHandle.of(firstNumber(benchmark)).orElseThrow();
      assertThat(system.isAlive()).isTrue();
      benchmark.destroy(); // SIGTERM
      system.onExit().get(30, TimeUnit.SECONDS);
    } finally {
      benchmark.destroyForcibly().waitFor();
    }
  }

  private static long firstNumber(Process process) throws IOException {
    try (BufferedReader said = process.inputReader()) {
      return Long.parseLong(said.readLine());
    }
  }
}
