package io.uniserve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the glossary: each term appears once, with a meaning and a source. */
class GlossaryTest {
  @Test
  void everyTermStandsOnce() throws IOException {
    List<String> terms = new ArrayList<>();
    for (String[] row : rows()) {
      Stream.of(row[0].split(", ")).map(String::strip).forEach(terms::add);
    }
    assertThat(terms).hasSizeGreaterThan(100).doesNotHaveDuplicates();
  }

  @Test
  void everyTermHasAMeaningAndASource() throws IOException {
    for (String[] row : rows()) {
      assertThat(row).as(row[0]).hasSize(3).noneMatch(String::isBlank);
      assertThat(row[1].strip()).as(row[0]).endsWith(".");
    }
  }

  /** Returns the cells of each row that is not the head of a table. */
  private static List<String[]> rows() throws IOException {
    return Files.readAllLines(Modules.ROOT.resolve("docs/glossary.md")).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| term |"))
        .map(line -> line.substring(1, line.length() - 1).split("\\|", -1))
        .toList();
  }
}
