package io.uniserve.sql.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words of DuckDB's are read as DuckDB reads them, and nothing moves by that. */
class SpellingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select interval 3 day | select interval'3'day",
        "select interval '3 days' + x | select interval '3'days  + x",
        "select date_diff('day', a, b + 1) | select $ate_diff('day', a, b + 1)",
        "select trim(a, 'x') | select $rim(a, 'x')",
        "select trim(both 'x' from a) | select trim(both 'x' from a)",
        "select 'interval 3 day', \"trim(\" -- range( | select 'interval 3 day', \"trim(\" -- range(",
        "select /* trim( */ range(3) | select /* trim( */ $ange(3)",
      })
  void aWordIsWrittenAsCalciteReadsIt(String duckDb, String calcite) {
    assertThat(Spelling.calcite(duckDb)).isEqualTo(calcite).hasSameSizeAs(duckDb);
  }

  @Test
  void aFunctionHasItsNameBackOnceItIsParsed() {
    assertThat(SqlStatement.parse("select date_diff('day', a, b + 1)").tree().toString())
        .contains("`date_diff`(");
  }

  @Test
  void anErrorHasThePlaceAndTheWordsOfTheStatement() {
    assertThatThrownBy(() -> SqlStatement.parse("select interval 3 day, range(3) from where"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("column 33");
  }
}
