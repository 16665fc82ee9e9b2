package io.uniserve.node.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the build does to train the program, with a Java that tells what it was asked for. */
@Timeout(120)
class TrainingTest {
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      echo "$@" >>"$TOLD"
      cache=
      for argument; do
        case $argument in
          -XX:AOTCacheOutput=*) cache=${argument#*=} ;;
          */text.jsonl) wc -l <"$argument" >>"$TOLD"; cp "$argument" "$TOLD.jsonl" ;;
        esac
      done
      case " $* " in
        *" $FAILS "*) exit 1 ;;
        *" start --dir "*)
          trap 'echo trained >"$cache"; exit 143' TERM
          echo "Cluster of 4 servers in data, http://localhost:1"
          while :; do sleep 0.1; done
          ;;
      esac
      [ -z "$cache" ] || echo trained >"$cache"
      """;

  @TempDir private Path directory;
  private Path caches;
  private Path told;

  @BeforeEach
  void makeJdk() throws IOException {
    caches = directory.resolve("caches");
    told = directory.resolve("told");
    Files.createDirectories(directory.resolve("jdk/bin"));
    Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
    for (String program : List.of("java", "javac")) {
      Path file = Files.writeString(directory.resolve("jdk/bin").resolve(program), JAVA);
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
  }

  private int train(String failing) throws IOException, InterruptedException {
    ProcessBuilder process =
        new ProcessBuilder(
                Chart.DEPLOY.resolveSibling("build-tools/train.sh").toString(),
                directory.resolve("dist").toString(),
                caches.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile());
    process.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    process.environment().put("TOLD", told.toString());
    process.environment().put("FAILS", failing);
    return process.start().waitFor();
  }

  private String told(String command) throws IOException {
    return Files.readAllLines(told, StandardCharsets.UTF_8).stream()
        .filter(line -> line.contains(" io.uniserve.node.Uniserve " + command + " "))
        .reduce((first, second) -> second)
        .orElseThrow(() -> new AssertionError("nobody called " + command));
  }

  @Test
  void bothKindsOfProcessesLeaveACacheThatIsTriedWithTheirFlags() throws Exception {
    assertThat(train("nothing")).isZero();
    assertThat(caches.resolve("cluster.aot")).hasContent("trained");
    assertThat(caches.resolve("command.aot")).hasContent("trained");
    assertThat(told("start"))
        .contains("-XX:AOTMode=on", "/cluster.aot", "jdk.incubator.vector", "-XX:+UseG1GC");
    assertThat(told("load"))
        .contains("-XX:AOTMode=on", "/command.aot", "-XX:+UseSerialGC")
        .doesNotContain("jdk.incubator.vector");
    assertThat(told("query")).contains("--url http://localhost:1").doesNotContain("AOT");
    assertThat(directory.resolve("caches.new")).doesNotExist();
  }

  @Test
  void whatIsLoadedIsMadeOfTheDocumentation() throws Exception {
    assertThat(train("nothing")).isZero();
    assertThat(Files.readAllLines(told)).contains("30000");
    assertThat(Files.readString(directory.resolve("told.jsonl")))
        .startsWith("{\"id\": \"1\", \"number\": 1, \"body\": \"")
        .doesNotContain("\\", "\t")
        .endsWith("\"}\n");
  }

  @Test
  void aProgramThatFailsLeavesNoCacheAndNoProcess() throws Exception {
    for (String failing : List.of("start", "table", "load", "query", "--help")) {
      assertThat(train(failing)).as(failing).isNotZero();
      assertThat(caches).as(failing).doesNotExist();
      assertThat(directory.resolve("caches.new")).as(failing).doesNotExist();
      assertThat(ProcessHandle.allProcesses())
          .as(failing)
          .noneMatch(
              process -> process.info().commandLine().orElse("").contains(directory.toString()));
    }
  }
}
