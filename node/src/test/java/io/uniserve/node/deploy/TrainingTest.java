package io.uniserve.node.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The training of the program by the build, with a Java that records its arguments. */
@Timeout(120)
class TrainingTest {
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      echo "$@" >>"$TOLD"
      case " $* " in
        *" --add-modules=jdk.incubator.vector "*)
          echo "OpenJDK warning: first" >&2
          echo "WARNING: Using incubator modules: jdk.incubator.vector" >&2
          echo "the program's own" >&2
          ;;
      esac
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

  private static final List<String> MODULES =
      List.of(
          (".mvn api kernel policy solvers runtime engines gateways providers simulation node")
              .split(" "));

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
        .contains("-XX:AOTMode=on", "/cluster.aot", "jdk.incubator.vector", "-XX:+UseG1GC")
        .contains("-XX:-G1UseAdaptiveIHOP", "-XX:G1PeriodicGCInterval=60000");
    boolean root = System.getProperty("user.name").equals("root");
    assertThat(told("start").contains("-XX:ThreadPriorityPolicy=1")).isEqualTo(root);
    assertThat(told("load"))
        .contains("-XX:AOTMode=on", "/command.aot", "-XX:+UseSerialGC")
        .contains("--add-opens=java.base/java.nio=ALL-UNNAMED") // Arrow reads files
        .doesNotContain("jdk.incubator.vector");
    assertThat(told("query")).contains("--url http://localhost:1").doesNotContain("AOT");
    assertThat(directory.resolve("caches.new")).doesNotExist();
  }

  /**
   * Returns the script with nothing to build: a copy without modules, and a Maven that makes
   * nothing.
   */
  private String script(String failing, String... arguments)
      throws IOException, InterruptedException {
    Path root = Files.createDirectories(directory.resolve("root"));
    Path project = Chart.DEPLOY.getParent();
    for (String module : MODULES) {
      Files.createDirectories(root.resolve(module));
    }
    for (String file :
        List.of("uniserve", "pom.xml", "build-tools/train.sh", "build-tools/toolchain.sh")) {
      Files.createDirectories(root.resolve(file).getParent());
      Files.copy(
          project.resolve(file),
          root.resolve(file),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.writeString(
        root.resolve("README.md"), "A line that is long enough to be a record of it\n");
    for (String document : List.of("docs/one.md", "docs/adr/two.md")) {
      Files.createDirectories(root.resolve(document).getParent());
      Files.writeString(root.resolve(document), "");
    }
    Path maven = directory.resolve("maven/bin/mvn");
    Files.createDirectories(maven.getParent());
    Files.writeString(
        maven,
        """
        #!/bin/sh
        [ "$1" != --version ] || exec echo "Apache Maven 3.9.9"
        mkdir -p node/target/dist/lib
        """);
    assertThat(maven.toFile().setExecutable(true)).isTrue();
    // The script's filtered output may come after its process has ended, so the end of the pipe is
    // awaited.
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "set -o pipefail; \"$0\" \"$@\" 2>&1 | cat"));
    command.add(root.resolve("uniserve").toString());
    command.addAll(List.of(arguments));
    return run(command, failing);
  }

  private String run(List<String> command, String failing)
      throws IOException, InterruptedException {
    ProcessBuilder process = new ProcessBuilder(command).redirectErrorStream(true);
    process.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    process.environment().put("MAVEN_HOME", directory.resolve("maven").toString());
    process.environment().put("TOLD", told.toString());
    process.environment().put("FAILS", failing);
    Process started = process.start();
    String output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(started.waitFor()).as(output).isZero();
    return output;
  }

  /** Returns the flags up to the class path, without those that differ on purpose. */
  private static List<String> flags(String told) {
    return Stream.of(told.substring(0, told.indexOf(" -cp ")).split(" "))
        .filter(flag -> !flag.contains("AOT") && !flag.startsWith("-Xlog"))
        .toList();
  }

  @Test
  void commandsStartWithTheCacheOfTheirKindAndTheFlagsItWasMadeWith() throws Exception {
    assertThat(script("nothing", "build")).contains("Training").doesNotContain("failed");
    for (Kind kind :
        List.of(new Kind("node", "start", "cluster"), new Kind("status", "load", "command"))) {
      String trained = told(kind.trained);
      script("nothing", kind.command, "--help");
      String started = told(kind.command);
      assertThat(started)
          .contains(
              "-XX:AOTCache="
                  + directory.toRealPath().resolve("root/build/caches/" + kind.cache + ".aot"))
          .contains("-Xlog:aot*=off");
      assertThat(flags(started)).isEqualTo(flags(trained));
    }
  }

  /** The JVM's cache names the jars where they were: it would refuse classes of others. */
  @Test
  void aCopyOfAllStartsWithoutTheCache() throws Exception {
    script("nothing", "build");
    Files.move(directory.resolve("root"), directory.resolve("moved"));
    run(List.of(directory.resolve("moved/uniserve").toString(), "status", "--help"), "nothing");
    assertThat(told("status")).contains("/moved/build/dist").doesNotContain("AOT");
  }

  /** A command, one that was run for training, and the cache that it left. */
  private record Kind(String command, String trained, String cache) {}

  @Test
  void whatIsOnlyAControllerHasTheCollectorOfSmallHeaps() throws Exception {
    script("nothing", "build");
    assertThat(collectorOf("roles = controller")).isEqualTo("-XX:+UseParallelGC");
    assertThat(collectorOf("roles = router")).isEqualTo("-XX:+UseParallelGC");
    assertThat(collectorOf("roles = controller, server")).isEqualTo("-XX:+UseG1GC");
    assertThat(collectorOf("roles = server")).isEqualTo("-XX:+UseG1GC");
  }

  /**
   * Returns the collector of a process with a configuration of one line; both ways to name the file
   * give the same.
   */
  private String collectorOf(String line) throws IOException, InterruptedException {
    Path config = Files.writeString(directory.resolve("node.conf"), line + "\n");
    script("nothing", "node", "--config", config.toString());
    List<String> flags = flags(told("node"));
    script("nothing", "node", "--config=" + config);
    assertThat(flags(told("node"))).isEqualTo(flags);
    return flags.stream()
        .filter(flag -> flag.matches("-XX:\\+Use.*GC"))
        .collect(Collectors.joining(" "));
  }

  /** No flag silences the warning, and everybody who starts the program would read it first. */
  @Test
  void whatTheJvmSaysOfVectorsIsLeftOutAndNothingElse() throws Exception {
    script("nothing", "build");
    assertThat(script("nothing", "start", "--help"))
        .isEqualTo("OpenJDK warning: first\nthe program's own\n");
    assertThat(told("start")).contains("--add-modules=jdk.incubator.vector");
  }

  @Test
  void aTrainingThatFailsIsToldAndTheBuildIsGood() throws Exception {
    assertThat(script("load", "build")).contains("the training failed", "Built Uniserve");
    assertThat(directory.resolve("root/build/caches")).doesNotExist();
    assertThat(directory.resolve("root/build/lock")).doesNotExist();
    script("nothing", "status", "--help");
    assertThat(told("status")).contains("--help");
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
