package io.uniserve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The folders whose changes make the script build the program again. */
class BuildScriptTest {
  private static final Pattern SOURCES = Pattern.compile("program_sources=\\(([^)]*)\\)");

  /** Modules with nothing that the program runs. */
  private static final Set<String> NO_PROGRAM =
      Set.of("testkit", "examples", "simulation-tests", "process-tests", "bench", "architecture");

  @Test
  void areThoseOfAllItsModules() throws IOException {
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
}
