package io.uniserve.backends.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.sql.algebra.functions.KnownFunctions;
import io.uniserve.sql.algebra.functions.KnownFunctions.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.Test;

/** The table of functions says what DuckDB says. */
class KnownFunctionsTest {
  private static final String LIST =
      "SELECT function_name, function_type, stability FROM duckdb_functions()"
          + " WHERE function_type IN ('scalar', 'aggregate', 'macro')"
          + " AND regexp_full_match(function_name, '[A-Za-z_][A-Za-z0-9_]*')";

  private record Listed(Set<String> types, Set<String> stabilities) {}

  private static Map<String, Listed> listed() throws SQLException {
    Map<String, Listed> functions = new LinkedHashMap<>();
    try (DuckDBConnection connection = ClientDatabase.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(LIST)) {
      while (rows.next()) {
        Listed function =
            functions.computeIfAbsent(
                rows.getString(1).toLowerCase(Locale.ROOT),
                name -> new Listed(new LinkedHashSet<>(), new LinkedHashSet<>()));
        function.types.add(rows.getString(2));
        function.stabilities.add(String.valueOf(rows.getString(3)));
      }
    }
    return functions;
  }

  @Test
  void everyFunctionOfDuckDbHasAKind() throws SQLException {
    assertThat(
            listed().keySet().stream()
                .filter(name -> KnownFunctions.kind(name).isEmpty())
                .collect(Collectors.toSet()))
        .isEmpty();
  }

  @Test
  void noFunctionIsKnownThatDuckDbDoesNotHave() throws SQLException {
    Set<String> names = listed().keySet();
    assertThat(
            KnownFunctions.all().entrySet().stream()
                .filter(known -> known.getValue() != Kind.GRAMMAR)
                .filter(known -> known.getValue() != Kind.GRAMMAR_AGGREGATE)
                .map(Map.Entry::getKey)
                .filter(name -> !name.endsWith("*") && !names.contains(name))
                .collect(Collectors.toSet()))
        .isEmpty();
  }

  /** A scalar that gave something else each time would differ from actor to actor. */
  @Test
  void whatRunsInTheActorsGivesTheSameEachTime() throws SQLException {
    assertThat(
            listed().entrySet().stream()
                .filter(function -> runs(KnownFunctions.kind(function.getKey()).orElseThrow()))
                .filter(
                    function ->
                        function.getValue().stabilities.contains("VOLATILE")
                            || function.getValue().stabilities.contains("CONSISTENT_WITHIN_QUERY"))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet()))
        .isEmpty();
  }

  private static boolean runs(Kind kind) {
    return kind.refusal().isEmpty() && kind != Kind.MOMENT;
  }

  @Test
  void anAggregateIsKnownAsOne() throws SQLException {
    assertThat(
            listed().entrySet().stream()
                .filter(function -> function.getValue().types.contains("aggregate"))
                .map(Map.Entry::getKey)
                .map(name -> KnownFunctions.kind(name).orElseThrow())
                .collect(Collectors.toSet()))
        .doesNotContain(Kind.SCALAR, Kind.MOMENT, Kind.RANDOM, Kind.LAMBDA);
  }
}
