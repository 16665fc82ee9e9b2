package io.uniserve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A port is small, whatever it ports, and so is each gateway: what they need more is a library. */
class ModuleSizesTest {
  private static final int LINES_MAX = 1_000;

  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);

  static Stream<String> gateways() {
    return Modules.NAMES.stream().filter(module -> module.startsWith("gateways/"));
  }

  @ParameterizedTest
  @MethodSource("gateways")
  @ValueSource(strings = {"engines/search", "engines/warehouse", "engines/sqlplanner"})
  void isSmall(String module) throws IOException {
    try (Stream<Path> files = Files.walk(Modules.mainSources(module))) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      long lines = 0;
      for (Path source : sources) {
        lines += linesOf(Files.readString(source));
      }
      assertThat(lines).isBetween(100L, (long) LINES_MAX);
    }
  }

  /** Lines of code: no comments, no imports, nothing empty. */
  private static long linesOf(String source) {
    return COMMENT
        .matcher(source)
        .replaceAll("")
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("//"))
        .filter(line -> !line.startsWith("import ") && !line.startsWith("package "))
        .count();
  }
}
