package io.uniserve.node.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The installations of {@code ./uniserve test} before it tests, on machines that lack programs. */
@Timeout(120)
class TestToolsTest {
  private static final List<String> NEEDED =
      List.of("chromium", "chromedriver", "ip", "openssl", "curl");

  /** The programs that every machine has. */
  private static final List<String> EVERYWHERE =
      List.of(("bash cat chmod cmp cp dirname env grep id mkdir mktemp mv rm sh tail").split(" "));

  /** Installs a package by making a program of its name; makes none of {@code openssl}. */
  private static final String APT_GET =
      """
      #!/usr/bin/env bash
      for package; do :; done
      echo "$*" >>"$TOLD"
      case $package in
        iproute2) program=ip ;;
        chromium-driver) program=chromedriver ;;
        openssl) echo "E: Unable to locate package openssl"; exit 100 ;;
        *) program=$package ;;
      esac
      printf '#!/bin/sh\\n' >"$BIN/$program" && chmod +x "$BIN/$program"
      """;

  /** A python3 whose environments install only what the test allows. */
  private static final String PYTHON =
      """
      #!/usr/bin/env bash
      case "$*" in
        "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
        *--requirement*) [ -z "${REFUSED:-}" ] || { echo "ERROR: $REFUSED"; exit 1; } ;;
        *" pip install "*)
          for package; do :; done
          case $REFUSED in *"$package"*) echo "ERROR: $REFUSED"; exit 1 ;; esac
          ;;
      esac
      """;

  @TempDir private Path directory;
  private Path bin;
  private Path tools;

  @BeforeEach
  void makeMachine() throws IOException {
    bin = Files.createDirectories(directory.resolve("bin"));
    tools = directory.resolve("cache/uniserve/test-tools");
    for (String name : EVERYWHERE) {
      offer(name);
    }
  }

  private void offer(String name) throws IOException {
    for (String place : System.getenv("PATH").split(":")) {
      Path program = Path.of(place, name);
      if (Files.isExecutable(program)) {
        install(name, "#!/bin/sh\nexec " + program + " \"$@\"\n");
        return;
      }
    }
    throw new AssertionError("there is no " + name);
  }

  private void install(String name, String script) throws IOException {
    Path program = Files.writeString(bin.resolve(name), script);
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  private void installAll() throws IOException {
    for (String name : NEEDED) {
      install(name, "#!/bin/sh\n");
    }
    install("python3", PYTHON);
  }

  /** Runs the script; returns its status and its standard error. */
  private Said run(Map<String, String> environment) throws IOException, InterruptedException {
    Path errors = directory.resolve("errors");
    ProcessBuilder process =
        new ProcessBuilder(
                bin.resolve("bash").toString(),
                Chart.DEPLOY.resolveSibling("build-tools/test-tools.sh").toString())
            .redirectError(errors.toFile());
    process.environment().clear();
    process.environment().put("PATH", bin.toString());
    process.environment().put("BIN", bin.toString());
    process.environment().put("TOLD", directory.resolve("told").toString());
    process.environment().put("XDG_CACHE_HOME", directory.resolve("cache").toString());
    process.environment().putAll(environment);
    Process started = process.start();
    String output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = started.waitFor();
    assertThat(output).isEqualTo(tools.resolve("bin/python") + "\n");
    return new Said(status, Files.readAllLines(errors));
  }

  private record Said(int status, List<String> lines) {}

  @Test
  void whatIsThereIsNotInstalledAgain() throws Exception {
    installAll();
    assertThat(run(Map.of()).lines())
        .containsExactly("Installing Python packages for the tests in " + tools);
    assertThat(tools.resolve("bin/python")).isExecutable();
    assertThat(run(Map.of())).isEqualTo(new Said(0, List.of()));
  }

  @Test
  void whatCannotBeInstalledIsNamedInALineForEach() throws Exception {
    installAll();
    Files.delete(bin.resolve("chromium"));
    Files.delete(bin.resolve("ip"));
    Said said = run(Map.of("REFUSED", "No matching distribution found for pysolr==3.11.0"));
    assertThat(said.status()).isZero();
    assertThat(said.lines())
        .containsExactly(
            "uniserve: does not test the console in a browser, since chromium cannot be installed:"
                + " this system has no apt-get, so install it yourself",
            "uniserve: does not test partitions of the network, since ip cannot be installed:"
                + " this system has no apt-get, so install it yourself",
            "Installing Python packages for the tests in " + tools,
            "uniserve: does not test with Python's pysolr, since pysolr==3.11.0 cannot be installed:"
                + " ERROR: No matching distribution found for pysolr==3.11.0");
    assertThat(tools.resolve("bin/python")).as("with the other packages").isExecutable();
    assertThat(run(Map.of()).lines()).as("once it can be, it is").hasSize(3);
    assertThat(tools.resolve("installed.txt")).exists();
  }

  @Test
  void nothingMayBeMissingWhereTestsMayNotBeSkipped() throws Exception {
    installAll();
    Files.delete(bin.resolve("curl"));
    Said said = run(Map.of("UNISERVE_TEST_STRICT", "true"));
    assertThat(said.status()).isEqualTo(1);
    assertThat(said.lines().getFirst())
        .startsWith("uniserve: cannot test the commands of the documentation without curl, which");
  }

  @Test
  void rootInstallsPackagesAndSaysSo() throws Exception {
    installAll();
    for (String name : NEEDED) {
      Files.delete(bin.resolve(name));
    }
    install("apt-get", APT_GET);
    Files.delete(bin.resolve("id"));
    install("id", "#!/bin/sh\necho 0\n");
    assertThat(run(Map.of()).lines())
        .containsExactly(
            "Installing chromium",
            "Installing chromium-driver",
            "Installing iproute2",
            "Installing openssl",
            "uniserve: does not test certificates that others made, since openssl cannot be"
                + " installed: E: Unable to locate package openssl",
            "Installing curl",
            "Installing Python packages for the tests in " + tools);
    assertThat(Files.readAllLines(directory.resolve("told")))
        .hasSize(6)
        .startsWith("update -qq", "install -qq -y --no-install-recommends chromium");
  }
}
