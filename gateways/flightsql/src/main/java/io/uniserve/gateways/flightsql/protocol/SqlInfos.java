package io.uniserve.gateways.flightsql.protocol;

import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.stages.ArrowQuery;
import io.uniserve.sql.stages.SqlQuery;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.flight.sql.SqlInfoBuilder;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlInfo;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlNullOrdering;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlOuterJoinsSupportLevel;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedCaseSensitivity;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedGroupBy;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedResultSetType;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedSubqueries;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedTransaction;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedUnions;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlTransactionIsolationLevel;
import org.apache.arrow.flight.sql.impl.FlightSql.SupportedSqlGrammar;

/**
 * The information about the server that clients can ask for: everything with a number in the
 * protocol, except the concurrency of results, which Java's builder of answers lacks. A missing
 * bound is 0.
 */
public final class SqlInfos {
  private static final String VERSION =
      String.valueOf(SqlInfos.class.getPackage().getImplementationVersion());

  /** The version of the Java library, which is that of Arrow. */
  private static final String ARROW_VERSION =
      String.valueOf(SqlInfoBuilder.class.getPackage().getImplementationVersion());

  private static final Set<SqlInfo> UNANSWERED =
      Set.of(
          SqlInfo.UNRECOGNIZED,
          SqlInfo.SQL_SUPPORTED_CONCURRENCIES_FOR_RESULT_SET_UNSPECIFIED,
          SqlInfo.SQL_SUPPORTED_CONCURRENCIES_FOR_RESULT_SET_FORWARD_ONLY,
          SqlInfo.SQL_SUPPORTED_CONCURRENCIES_FOR_RESULT_SET_SCROLL_SENSITIVE,
          SqlInfo.SQL_SUPPORTED_CONCURRENCIES_FOR_RESULT_SET_SCROLL_INSENSITIVE);

  private static final Set<Integer> ANSWERED =
      Arrays.stream(SqlInfo.values())
          .filter(info -> !UNANSWERED.contains(info))
          .map(SqlInfo::getNumber)
          .collect(Collectors.toSet());

  private static final String[] NONE = {};
  private static final long NO_BOUND = 0;

  private final SqlInfoBuilder all = new SqlInfoBuilder();
  private final Duration statementTimeout;
  private final int statementsMax;

  /**
   * Makes the information of a server.
   *
   * @param statementTimeout the time after which a statement ends
   * @param statementsMax the most statements at a time
   */
  public SqlInfos(Duration statementTimeout, int statementsMax) {
    this.statementTimeout = statementTimeout;
    this.statementsMax = statementsMax;
    server();
    names();
    language();
    transactions();
    bounds();
  }

  private void server() {
    all.withFlightSqlServerName("Uniserve")
        .withFlightSqlServerVersion(VERSION)
        .withFlightSqlServerArrowVersion(ARROW_VERSION)
        .withFlightSqlServerSql(true)
        .withFlightSqlServerSubstrait(false)
        .withFlightSqlServerSubstraitMinVersion("")
        .withFlightSqlServerSubstraitMaxVersion("")
        .withFlightSqlServerReadOnly(false)
        .withFlightSqlServerCancel(true)
        .withFlightSqlServerBulkIngestion(true)
        .withFlightSqlServerStatementTimeout((int) statementTimeout.toMillis());
  }

  /**
   * Adds the rules of names. All names are stored in lower case and found in any case, with or
   * without quotes.
   */
  private void names() {
    all.withSqlIdentifierQuoteChar("\"")
        .withSqlIdentifierCase(SqlSupportedCaseSensitivity.SQL_CASE_SENSITIVITY_LOWERCASE)
        .withSqlQuotedIdentifierCase(SqlSupportedCaseSensitivity.SQL_CASE_SENSITIVITY_LOWERCASE)
        .withSqlSearchStringEscape(String.valueOf(Listing.ESCAPE))
        .withSqlExtraNameCharacters("")
        .withSqlSchemaTerm("warehouse")
        .withSqlCatalogTerm("")
        .withSqlProcedureTerm("")
        .withSqlCatalogAtStart(false)
        .withSqlKeywords(ArrowQuery.keywords().toArray(String[]::new))
        .withSqlDdlCatalog(false)
        .withSqlDdlSchema(false)
        .withSqlDdlTable(true)
        .withSqlAllTablesAreSelectable(true)
        .withSqlSchemasSupportedActions()
        .withSqlCatalogsSupportedActions();
  }

  /** Adds the supported language. Functions are those that {@code {fn NAME(…)}} may name. */
  private void language() {
    all.withSqlNumericFunctions(NONE)
        .withSqlStringFunctions(NONE)
        .withSqlSystemFunctions(NONE)
        .withSqlDatetimeFunctions(new String[] {"TIMESTAMPADD"})
        .withSqlSupportsConvert(Map.of())
        .withSqlNullOrdering(SqlNullOrdering.SQL_NULLS_SORTED_AT_END)
        .withSqlNullPlusNullIsNull(true)
        .withSqlSupportsColumnAliasing(true)
        .withSqlSupportsTableCorrelationNames(true)
        .withSqlSupportsDifferentTableCorrelationNames(false)
        .withSqlSupportsExpressionsInOrderBy(true)
        .withSqlSupportsOrderByUnrelated(true)
        .withSqlSupportedGroupBy(
            SqlSupportedGroupBy.SQL_GROUP_BY_UNRELATED,
            SqlSupportedGroupBy.SQL_GROUP_BY_BEYOND_SELECT)
        .withSqlSupportsLikeEscapeClause(true)
        .withSqlSupportsNonNullableColumns(true)
        .withSqlSupportedGrammar(SupportedSqlGrammar.SQL_MINIMUM_GRAMMAR)
        .withSqlAnsi92SupportedLevel()
        .withSqlSupportsIntegrityEnhancementFacility(false)
        .withSqlOuterJoinSupportLevel(
            SqlOuterJoinsSupportLevel.SQL_LIMITED_OUTER_JOINS,
            SqlOuterJoinsSupportLevel.SQL_FULL_OUTER_JOINS)
        .withSqlSubQueriesSupported(
            SqlSupportedSubqueries.SQL_SUBQUERIES_IN_COMPARISONS,
            SqlSupportedSubqueries.SQL_SUBQUERIES_IN_EXISTS,
            SqlSupportedSubqueries.SQL_SUBQUERIES_IN_INS,
            SqlSupportedSubqueries.SQL_SUBQUERIES_IN_QUANTIFIEDS)
        .withSqlCorrelatedSubqueriesSupported(true)
        .withSqlSupportedUnions(SqlSupportedUnions.SQL_UNION, SqlSupportedUnions.SQL_UNION_ALL)
        .withSqlSupportedPositionedCommands()
        .withSqlSelectForUpdateSupported(false)
        .withSqlStoredProceduresSupported(false)
        .withSqlStoredFunctionsUsingCallSyntaxSupported(false)
        .withSqlSupportedResultSetTypes(SqlSupportedResultSetType.SQL_RESULT_SET_TYPE_FORWARD_ONLY)
        .withSqlBatchUpdatesSupported(true)
        .withSqlNamedParametersSupported(false)
        .withSqlLocatorsUpdateCopy(false);
  }

  private void transactions() {
    all.withFlightSqlServerTransaction(SqlSupportedTransaction.SQL_SUPPORTED_TRANSACTION_NONE)
        .withFlightSqlServerBulkIngestionTransaction(false)
        .withFlightSqlServerTransactionTimeout(0)
        .withSqlTransactionsSupported(false)
        .withSqlDefaultTransactionIsolation(
            SqlTransactionIsolationLevel.SQL_TRANSACTION_NONE.getNumber())
        .withSqlSupportedTransactionsIsolationLevels(
            SqlTransactionIsolationLevel.SQL_TRANSACTION_NONE)
        .withSqlDataDefinitionCausesTransactionCommit(false)
        .withSqlDataDefinitionsInTransactionsIgnored(false)
        .withSqlSavepointsSupported(false);
  }

  private void bounds() {
    all.withSqlMaxBinaryLiteralLength(NO_BOUND)
        .withSqlMaxCharLiteralLength(NO_BOUND)
        .withSqlMaxColumnNameLength(WarehouseSchema.NAME_CHARS_MAX)
        .withSqlMaxTableNameLength(WarehouseSchema.NAME_CHARS_MAX)
        .withSqlDbSchemaNameLength(WarehouseSchema.NAME_CHARS_MAX)
        .withSqlMaxCatalogNameLength(NO_BOUND)
        .withSqlMaxProcedureNameLength(NO_BOUND)
        .withSqlMaxCursorNameLength(NO_BOUND)
        .withSqlMaxUsernameLength(NO_BOUND)
        .withSqlMaxColumnsInGroupBy(NO_BOUND)
        .withSqlMaxColumnsInIndex(NO_BOUND)
        .withSqlMaxColumnsInOrderBy(NO_BOUND)
        .withSqlMaxColumnsInSelect(NO_BOUND)
        .withSqlMaxColumnsInTable(WarehouseSchema.COLUMNS_MAX)
        .withSqlMaxTablesInSelect(NO_BOUND)
        .withSqlMaxIndexLength(NO_BOUND)
        .withSqlMaxRowSize(NO_BOUND)
        .withSqlMaxRowSizeIncludesBlobs(false)
        .withSqlMaxStatementLength(SqlQuery.SQL_CHARS_MAX)
        .withSqlMaxStatements(statementsMax)
        .withSqlMaxConnections(NO_BOUND);
  }

  /**
   * Sends the requested information, or everything if the request is empty. Unknown numbers, which
   * later versions of the protocol may have, are ignored.
   */
  public void send(List<Integer> numbers, ServerStreamListener listener) {
    List<Integer> wanted = numbers.isEmpty() ? List.copyOf(ANSWERED) : numbers;
    all.send(wanted.stream().filter(ANSWERED::contains).distinct().sorted().toList(), listener);
  }
}
