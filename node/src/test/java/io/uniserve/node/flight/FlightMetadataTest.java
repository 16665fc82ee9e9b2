package io.uniserve.node.flight;

import static io.uniserve.node.flight.Jdbc.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The metadata that the Flight SQL JDBC driver reports of the server, its tables and the columns of
 * answers.
 */
@Timeout(180)
class FlightMetadataTest extends ServedTrade {
  /** The functions that the driver itself lacks, whatever server it talks to. */
  private static final List<String> NOT_OF_THE_DRIVER =
      List.of(
          "deletesAreDetected",
          "insertsAreDetected",
          "othersDeletesAreVisible",
          "othersInsertsAreVisible",
          "othersUpdatesAreVisible",
          "ownDeletesAreVisible",
          "ownInsertsAreVisible",
          "ownUpdatesAreVisible",
          "supportsResultSetHoldability",
          "updatesAreDetected");

  @Test
  void everyQuestionAboutTheServerHasAnAnswer() throws SQLException, IllegalAccessException {
    try (Connection connection = connect()) {
      DatabaseMetaData about = connection.getMetaData();
      TreeSet<String> refused = new TreeSet<>();
      for (Method method : DatabaseMetaData.class.getMethods()) {
        if (method.getDeclaringClass() == DatabaseMetaData.class) {
          try {
            if (method.invoke(about, arguments(method)) instanceof ResultSet result) {
              rows(result);
            }
          } catch (InvocationTargetException e) {
            refused.add(method.getName());
          }
        }
      }
      assertThat(refused).containsExactlyElementsOf(NOT_OF_THE_DRIVER);
    }
  }

  /** Returns arguments for a method: names where they are expected, and meaningful numbers. */
  private static Object[] arguments(Method method) {
    int number =
        method.getName().equals("supportsTransactionIsolationLevel")
            ? Connection.TRANSACTION_NONE
            : ResultSet.TYPE_FORWARD_ONLY;
    return Arrays.stream(method.getParameterTypes())
        .map(
            type ->
                type == int.class
                    ? (Object) number
                    : type == boolean.class ? true : type == String.class ? "orders" : null)
        .toArray();
  }

  @Test
  void theAnswersAreTrue() throws Exception {
    try (Connection connection = connect()) {
      DatabaseMetaData about = connection.getMetaData();
      assertThat(flags(about))
          .contains(
              entry("dataDefinitionCausesTransactionCommit", false),
              entry("dataDefinitionIgnoredInTransactions", false),
              entry("doesMaxRowSizeIncludeBlobs", false),
              entry("isCatalogAtStart", false),
              entry("isReadOnly", false),
              entry("locatorsUpdateCopy", false),
              entry("nullPlusNonNullIsNull", true),
              entry("nullsAreSortedAtEnd", true),
              entry("supportsANSI92EntryLevelSQL", false),
              entry("supportsBatchUpdates", true),
              entry("supportsColumnAliasing", true),
              entry("supportsConvert", false),
              entry("supportsCoreSQLGrammar", false),
              entry("supportsCorrelatedSubqueries", true),
              entry("supportsDifferentTableCorrelationNames", false),
              entry("supportsExpressionsInOrderBy", true),
              entry("supportsFullOuterJoins", true),
              entry("supportsGroupBy", true),
              entry("supportsGroupByBeyondSelect", true),
              entry("supportsGroupByUnrelated", true),
              entry("supportsIntegrityEnhancementFacility", false),
              entry("supportsLikeEscapeClause", true),
              entry("supportsLimitedOuterJoins", true),
              entry("supportsMinimumSQLGrammar", true),
              entry("supportsNamedParameters", false),
              entry("supportsNonNullableColumns", true),
              entry("supportsOrderByUnrelated", true),
              entry("supportsOuterJoins", true),
              entry("supportsPositionedDelete", false),
              entry("supportsSavepoints", false),
              entry("supportsSchemasInIndexDefinitions", false),
              entry("supportsSelectForUpdate", false),
              entry("supportsStoredProcedures", false),
              entry("supportsSubqueriesInComparisons", true),
              entry("supportsSubqueriesInExists", true),
              entry("supportsSubqueriesInIns", true),
              entry("supportsSubqueriesInQuantifieds", true),
              entry("supportsTableCorrelationNames", true),
              entry("supportsTransactions", false),
              entry("supportsUnion", true),
              entry("supportsUnionAll", true));
      assertThat(about.supportsResultSetType(ResultSet.TYPE_FORWARD_ONLY)).isTrue();
      assertThat(about.supportsResultSetType(ResultSet.TYPE_SCROLL_INSENSITIVE)).isFalse();
      assertThat(about.supportsTransactionIsolationLevel(Connection.TRANSACTION_NONE)).isTrue();
      assertThat(about.supportsTransactionIsolationLevel(Connection.TRANSACTION_SERIALIZABLE))
          .isFalse();
      assertThat(about.getDefaultTransactionIsolation()).isEqualTo(Connection.TRANSACTION_NONE);
      assertThat(about.getMaxColumnNameLength()).isEqualTo(63);
      assertThat(about.getMaxColumnsInTable()).isEqualTo(1_000);
      assertThat(about.getMaxStatementLength()).isEqualTo(200_000);
      assertThat(about.getMaxStatements()).isEqualTo(16);
      assertThat(about.getSchemaTerm()).isEqualTo("warehouse");
      assertThat(about.getCatalogTerm()).isEmpty();
      assertThat(about.getSearchStringEscape()).isEqualTo("\\");
      assertThat(about.getSQLKeywords()).contains("PARTITION").doesNotContain("SELECT");
      assertThat(about.getTimeDateFunctions()).isEqualTo("TIMESTAMPADD");
      try (Statement statement = connection.createStatement()) {
        assertThat(
                rows(
                    statement.executeQuery(
                        "select {fn TIMESTAMPADD(SQL_TSI_DAY, 1, {ts '2024-02-28 01:02:03'})}")))
            .asString()
            .isEqualTo("[[2024-02-29 01:02:03.0]]");
      }
    }
  }

  private static Map<String, Boolean> flags(DatabaseMetaData about)
      throws ReflectiveOperationException {
    Map<String, Boolean> flags = new TreeMap<>();
    for (Method method : DatabaseMetaData.class.getMethods()) {
      if (method.getReturnType() == boolean.class && method.getParameterCount() == 0) {
        flags.put(method.getName(), (Boolean) method.invoke(about));
      }
    }
    return flags;
  }

  @Test
  void tellsDigitsAndWhetherColumnsMayBeNull() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      List<String> columns = new ArrayList<>();
      try (ResultSet all = connection.getMetaData().getColumns(null, "trade", "orders", "%")) {
        while (all.next()) {
          columns.add(
              all.getString("COLUMN_NAME")
                  + " "
                  + all.getString("TYPE_NAME")
                  + " "
                  + all.getString("COLUMN_SIZE")
                  + " "
                  + all.getString("DECIMAL_DIGITS")
                  + " "
                  + all.getString("IS_NULLABLE"));
        }
      }
      assertThat(columns)
          .containsExactly(
              "o_orderkey BIGINT 19 0 NO",
              "o_priority INTEGER 10 0 YES",
              "o_totalprice DECIMAL 15 2 YES",
              "o_orderdate DATE 10 0 YES",
              "o_at TIMESTAMP 26 6 YES",
              "o_urgent BOOLEAN 1 null YES",
              "o_weight DOUBLE 15 null YES",
              "o_comment VARCHAR 2147483647 null YES");
      List<String> answer = new ArrayList<>();
      try (ResultSet result =
          statement.executeQuery("select *, o_totalprice * o_totalprice as p from orders")) {
        ResultSetMetaData about = result.getMetaData();
        for (int i = 1; i <= about.getColumnCount(); i++) {
          answer.add(
              about.getColumnLabel(i)
                  + " "
                  + about.getColumnTypeName(i)
                  + " "
                  + about.getPrecision(i)
                  + " "
                  + about.getScale(i));
          assertThat(about.isSearchable(i) && about.isReadOnly(i)).isTrue();
          assertThat(about.isAutoIncrement(i)).isFalse();
          assertThat(about.isCaseSensitive(i))
              .isEqualTo(about.getColumnLabel(i).equals("o_comment"));
        }
      }
      assertThat(answer)
          .containsExactly(
              "o_orderkey BIGINT 19 0",
              "o_priority INTEGER 10 0",
              "o_totalprice DECIMAL 15 2",
              "o_orderdate DATE 10 0",
              "o_at TIMESTAMP 26 6",
              "o_urgent BOOLEAN 1 0",
              "o_weight DOUBLE 15 0",
              "o_comment VARCHAR 2147483647 0",
              "p DECIMAL 18 4");
    }
  }

  @Test
  void findsNamesByPatternsWhoseWildcardsMayBeEscaped() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("create table a_b (x int)");
      statement.executeUpdate("create table acb (x int)");
      DatabaseMetaData about = connection.getMetaData();
      assertThat(names(about.getTables(null, "trade", "A_B", null))).containsExactly("a_b", "acb");
      assertThat(names(about.getTables(null, "trade", "a\\_b", null))).containsExactly("a_b");
      assertThat(names(about.getTables(null, "tr\\ade", "a\\_%", null))).containsExactly("a_b");
      assertThat(names(about.getTables("", "trade", "a%", null))).hasSize(2);
      assertThat(names(about.getTables("x", "trade", "a%", null))).isEmpty();
      assertThat(names(about.getTables(null, "", "a%", null))).isEmpty();
      assertThat(rows(about.getPrimaryKeys(null, "TRADE", "ORDERS"))).hasSize(1);
      assertThat(rows(about.getPrimaryKeys("x", "trade", "orders"))).isEmpty();
      statement.executeUpdate("drop table a_b");
      statement.executeUpdate("drop table acb");
    }
  }

  private static List<Object> names(ResultSet tables) throws SQLException {
    return rows(tables).stream().map(row -> row.get(2)).toList();
  }

  /** A query without a table needs no warehouse. */
  @Test
  void queriesWithoutTablesRunAnywhere() throws SQLException {
    try (Connection connection = Jdbc.connect(service, "useEncryption=false");
        Statement statement = connection.createStatement()) {
      for (String one :
          List.of(
              "select 1",
              "values (1)",
              "select count(*) from (values (5)) as v (x)",
              "with t as (select 1 as x) select * from t where exists (select * from t)")) {
        assertThat(rows(statement.executeQuery(one))).as(one).asString().isEqualTo("[[1]]");
      }
      assertThat(rows(statement.executeQuery("explain select 1"))).isNotEmpty();
    }
  }
}
