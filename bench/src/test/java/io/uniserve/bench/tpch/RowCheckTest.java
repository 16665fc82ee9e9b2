package io.uniserve.bench.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RowCheckTest {
  private static final List<List<String>> PUBLISHED =
      List.of(List.of("n_name", "s_address", "revenue"), List.of("CHINA", "here", "12.34"));

  @Test
  void numbersMayDifferByACent() {
    assertThat(RowCheck.againstPublished(PUBLISHED, rows("CHINA", "here", "12.35"))).isEmpty();
    assertThat(RowCheck.againstPublished(PUBLISHED, rows("CHINA", "here", "1.2341E+1"))).isEmpty();
    assertThat(RowCheck.againstPublished(PUBLISHED, rows("CHINA", "here", "12.351")))
        .contains("row 1, column 3: 12.351, not 12.34");
  }

  @Test
  void largeFloatingPointNumbersMayDifferInTheThirteenthDigit() {
    List<List<String>> sum = rows("5.293912989986117E11");

    assertThat(RowCheck.difference(sum, rows("5.293912989986266E11"))).isEmpty();
    assertThat(RowCheck.difference(sum, rows("5.293912990006117E11"))).isPresent();
    assertThat(RowCheck.difference(rows("529391298998.61"), rows("529391298998.63"))).isPresent();
  }

  @Test
  void textsMayNotDiffer() {
    assertThat(RowCheck.againstPublished(PUBLISHED, rows("CHILE", "here", "12.34")))
        .contains("row 1, column 1: CHILE, not CHINA");
    assertThat(RowCheck.againstPublished(PUBLISHED, rows("CHINA", "here", "")))
        .contains("row 1, column 3: , not 12.34");
  }

  @Test
  void textsThatGeneratorsMakeUpAreComparedBetweenSystemsOnly() {
    List<List<String>> there = rows("CHINA", "there", "12.34");

    assertThat(RowCheck.againstPublished(PUBLISHED, there)).isEmpty();
    assertThat(RowCheck.difference(PUBLISHED.subList(1, 2), there))
        .contains("row 1, column 2: there, not here");
  }

  @Test
  void rowsAndColumnsAreCounted() {
    assertThat(RowCheck.againstPublished(PUBLISHED, List.of())).contains("0 rows, not 1");
    assertThat(RowCheck.againstPublished(PUBLISHED, rows("CHINA", "here")))
        .contains("row 1 has 2 columns, not 3");
  }

  private static List<List<String>> rows(String... values) {
    return List.of(List.of(values));
  }
}
