package io.uniserve.gateways.flightsql.protocol;

import com.google.protobuf.ByteString;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import org.apache.arrow.flight.CloseSessionRequest;
import org.apache.arrow.flight.CloseSessionResult;
import org.apache.arrow.flight.Criteria;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.GetSessionOptionsRequest;
import org.apache.arrow.flight.GetSessionOptionsResult;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.RenewFlightEndpointRequest;
import org.apache.arrow.flight.SchemaResult;
import org.apache.arrow.flight.SetSessionOptionsRequest;
import org.apache.arrow.flight.SetSessionOptionsResult;
import org.apache.arrow.flight.sql.NoOpFlightSqlProducer;
import org.apache.arrow.flight.sql.impl.FlightSql;

/** A producer that refuses every call as not supported. */
@SuppressWarnings("try") // what it inherits may throw InterruptedException on close
public class RefusingProducer extends NoOpFlightSqlProducer {
  private static final String TRANSACTIONS =
      "there are no transactions: what a statement has changed stays";
  private static final String SUBSTRAIT = "plans of Substrait are not understood; send SQL";
  private static final String SESSIONS =
      "there are no sessions: the header 'warehouse' of each call says which warehouse is meant";

  private static FlightRuntimeException refusal(String why) {
    return Failures.of(new UniserveException(ErrorCode.UNSUPPORTED, why));
  }

  /**
   * Checks that a call names no transaction.
   *
   * @param given true if it has a transaction's field
   */
  public static void requireNoTransaction(boolean given, ByteString transaction) {
    if (given && !transaction.isEmpty()) {
      throw refusal(TRANSACTIONS);
    }
  }

  @Override
  public void beginTransaction(
      FlightSql.ActionBeginTransactionRequest request,
      CallContext context,
      StreamListener<FlightSql.ActionBeginTransactionResult> listener) {
    throw refusal(TRANSACTIONS);
  }

  @Override
  public void endTransaction(
      FlightSql.ActionEndTransactionRequest request,
      CallContext context,
      StreamListener<org.apache.arrow.flight.Result> listener) {
    throw refusal(TRANSACTIONS);
  }

  @Override
  public void beginSavepoint(
      FlightSql.ActionBeginSavepointRequest request,
      CallContext context,
      StreamListener<FlightSql.ActionBeginSavepointResult> listener) {
    throw refusal(TRANSACTIONS);
  }

  @Override
  public void endSavepoint(
      FlightSql.ActionEndSavepointRequest request,
      CallContext context,
      StreamListener<org.apache.arrow.flight.Result> listener) {
    throw refusal(TRANSACTIONS);
  }

  @Override
  public FlightInfo getFlightInfoSubstraitPlan(
      FlightSql.CommandStatementSubstraitPlan command,
      CallContext context,
      FlightDescriptor descriptor) {
    throw refusal(SUBSTRAIT);
  }

  @Override
  public SchemaResult getSchemaSubstraitPlan(
      FlightSql.CommandStatementSubstraitPlan command,
      CallContext context,
      FlightDescriptor descriptor) {
    throw refusal(SUBSTRAIT);
  }

  @Override
  public Runnable acceptPutSubstraitPlan(
      FlightSql.CommandStatementSubstraitPlan command,
      CallContext context,
      FlightStream stream,
      StreamListener<PutResult> listener) {
    throw refusal(SUBSTRAIT);
  }

  @Override
  public void createPreparedSubstraitPlan(
      FlightSql.ActionCreatePreparedSubstraitPlanRequest request,
      CallContext context,
      StreamListener<FlightSql.ActionCreatePreparedStatementResult> listener) {
    throw refusal(SUBSTRAIT);
  }

  @Override
  public void setSessionOptions(
      SetSessionOptionsRequest request,
      CallContext context,
      StreamListener<SetSessionOptionsResult> listener) {
    throw refusal(SESSIONS);
  }

  @Override
  public void getSessionOptions(
      GetSessionOptionsRequest request,
      CallContext context,
      StreamListener<GetSessionOptionsResult> listener) {
    throw refusal(SESSIONS);
  }

  @Override
  public void closeSession(
      CloseSessionRequest request,
      CallContext context,
      StreamListener<CloseSessionResult> listener) {
    throw refusal(SESSIONS);
  }

  @Override
  public void renewFlightEndpoint(
      RenewFlightEndpointRequest request,
      CallContext context,
      StreamListener<FlightEndpoint> listener) {
    throw refusal("an answer that was not taken in time cannot be kept; ask again");
  }

  @Override
  public void listFlights(
      CallContext context, Criteria criteria, StreamListener<FlightInfo> listener) {
    throw refusal("answers are not listed; send a statement");
  }

  @Override
  public void getStreamPreparedStatement(
      FlightSql.CommandPreparedStatementQuery command,
      CallContext context,
      ServerStreamListener listener) {
    throw refusal("rows are taken by the ticket that their FlightInfo has");
  }
}
