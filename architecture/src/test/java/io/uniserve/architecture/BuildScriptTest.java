package io.uniserve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that builds the program: when it builds, and what a build leaves of earlier ones. */
class BuildScriptTest {
  private static final Pattern SOURCES = Pattern.compile("program_sources=\\(([^)]*)\\)");

  /** Modules with nothing that the program runs. */
  private static final Set<String> NO_PROGRAM =
      Set.of(
          "testkit",
          "runtime-testkit",
          "examples",
          "simulation-tests",
          "process-tests",
          "druid-tests",
          "bench",
          "architecture");

  /** A Maven that, as the real one, adds the libraries of today and deletes nothing. */
  private static final String MAVEN =
      """
      #!/bin/sh
      if [ "$1" = --version ]; then
        echo 'Apache Maven 3.9.9'
        exit
      fi
      mkdir -p node/target/dist/lib gateways/solr/target/plugin
      touch node/target/dist/lib/present.jar gateways/solr/target/plugin/present.jar
      """;

  @TempDir Path directory;

  @Test
  void buildsAgainAfterAChangeOfAnyModuleOfTheProgram() throws IOException {
    Matcher sources = SOURCES.matcher(Files.readString(Modules.ROOT.resolve("uniserve")));
    assertThat(sources.find()).isTrue();
    List<String> listed = Arrays.asList(sources.group(1).split(" "));

    assertThat(listed)
        .containsExactlyInAnyOrderElementsOf(
            Modules.NAMES.stream()
                .map(module -> module.replaceAll("/.*", ""))
                .filter(folder -> !NO_PROGRAM.contains(folder))
                .collect(Collectors.toSet()));
  }

  @Test
  void leavesNoLibraryOfAModuleThatIsGone() throws Exception {
    checkout();
    List<String> copied = List.of("node/target/dist/lib", "gateways/solr/target/plugin");
    for (String libraries : copied) {
      write(libraries + "/gone.jar", "of an earlier build");
    }
    write("build/dist/lib/gone.jar", "of an earlier build");

    build();

    for (String libraries : copied) {
      assertThat(names(libraries)).containsExactly("present.jar");
    }
    assertThat(names("build/dist/lib")).containsExactly("present.jar");
  }

  /** Makes a checkout of the script alone, with a Maven and a training that do next to nothing. */
  private void checkout() throws IOException {
    for (String file : List.of("uniserve", "build-tools/toolchain.sh")) {
      write(file, Files.readString(Modules.ROOT.resolve(file)));
    }
    write("build-tools/train.sh", "#!/bin/sh\n");
    write("maven/bin/mvn", MAVEN);
  }

  private void build() throws Exception {
    Path output = directory.resolve("output");
    ProcessBuilder script =
        new ProcessBuilder(directory.resolve("uniserve").toString(), "build")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    script.environment().put("MAVEN_HOME", directory.resolve("maven").toString());
    script.environment().put("JAVA_HOME", System.getProperty("java.home"));
    assertThat(script.start().waitFor()).as(() -> text(output)).isZero();
  }

  private void write(String file, String text) throws IOException {
    Path path = directory.resolve(file);
    Files.createDirectories(path.getParent());
    Files.setPosixFilePermissions(
        Files.writeString(path, text), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private List<String> names(String folder) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve(folder))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + file, e);
    }
  }
}
