package io.uniserve.sql.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.sql.algebra.functions.KnownFunctions;
import io.uniserve.sql.algebra.functions.KnownFunctions.Kind;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FunctionsTest {
  /** They depend on the time, fail, and say which DuckDB this is: nothing of a session. */
  private static final Set<String> HARMLESS = Set.of("ago", "error", "version");

  /** Every function of DuckDB has a kind, which another test sees to. */
  @Test
  void whateverDependsOnTheConnectionIsRefused() {
    assertThat(
            KnownFunctions.all().entrySet().stream()
                .filter(known -> known.getValue() == Kind.SESSION)
                .map(Map.Entry::getKey)
                .filter(name -> Functions.refusal(name).isEmpty()))
        .containsExactlyInAnyOrderElementsOf(HARMLESS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "getenv",
        "GETENV",
        "Current_Setting",
        "nextval",
        "setseed",
        "pg_sleep",
        "sleep_ms",
        "write_log",
        "pg_get_viewdef",
        "has_table_privilege",
        "json_serialize_plan",
        "__internal_compress_string_hugeint"
      })
  void aFunctionThatIsNotAboutValuesIsRefused(String name) {
    assertThat(Functions.refusal(name)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"lower", "pg_typeof", "pg_size_pretty", "random", "uuid", "now", "+"})
  void oneThatIsAboutValuesIsNot(String name) {
    assertThat(Functions.refusal(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "read_csv", "READ_TEXT", "glob", "query", "query_table", "duckdb_settings",
        "duckdb_secrets", "pragma_version", "sniff_csv", "parquet_scan", "seq_scan", "arrow_scan",
        "which_secret", "histogram", "json_execute_serialized_sql", "unheard_of"
      })
  void aFunctionThatGivesOtherRowsThanItsArgumentsIsRefused(String name) {
    assertThat(Functions.refusalOfRows(name)).isPresent();
  }
}
