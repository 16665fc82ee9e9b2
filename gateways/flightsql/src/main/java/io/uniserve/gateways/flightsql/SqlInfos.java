package io.uniserve.gateways.flightsql;

import java.util.List;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.flight.sql.SqlInfoBuilder;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlNullOrdering;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedCaseSensitivity;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedTransaction;

/** What clients ask about the server as such. */
final class SqlInfos {
  private static final String VERSION =
      String.valueOf(SqlInfos.class.getPackage().getImplementationVersion());

  private static final SqlInfoBuilder ALL =
      new SqlInfoBuilder()
          .withFlightSqlServerName("Uniserve")
          .withFlightSqlServerVersion(VERSION)
          .withFlightSqlServerSql(true)
          .withFlightSqlServerSubstrait(false)
          .withFlightSqlServerReadOnly(false)
          .withFlightSqlServerCancel(true)
          .withFlightSqlServerBulkIngestion(true)
          .withFlightSqlServerBulkIngestionTransaction(false)
          .withFlightSqlServerTransaction(SqlSupportedTransaction.SQL_SUPPORTED_TRANSACTION_NONE)
          .withSqlDdlCatalog(false)
          .withSqlDdlSchema(false)
          .withSqlDdlTable(true)
          .withSqlIdentifierQuoteChar("\"")
          .withSqlSchemaTerm("warehouse")
          .withSqlIdentifierCase(SqlSupportedCaseSensitivity.SQL_CASE_SENSITIVITY_CASE_INSENSITIVE)
          .withSqlNullOrdering(SqlNullOrdering.SQL_NULLS_SORTED_AT_END)
          .withSqlTransactionsSupported(false)
          .withSqlMaxStatements(Running.STATEMENTS_MAX);

  private SqlInfos() {}

  /** Sends all that there is: clients pass over what they did not ask for. */
  static void send(ServerStreamListener listener) {
    ALL.send(List.of(), listener);
  }
}
