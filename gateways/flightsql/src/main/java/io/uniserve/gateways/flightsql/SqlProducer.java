package io.uniserve.gateways.flightsql;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.gateways.flightsql.protocol.ArrowValues;
import io.uniserve.gateways.flightsql.protocol.Changed;
import io.uniserve.gateways.flightsql.protocol.ColumnMetadata;
import io.uniserve.gateways.flightsql.protocol.Statement;
import io.uniserve.sql.changes.RowChanges;
import io.uniserve.sql.stages.ArrowQuery;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.flight.CancelFlightInfoRequest;
import org.apache.arrow.flight.CancelStatus;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.SchemaResult;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.sql.impl.FlightSql;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The producer that answers the calls of Flight SQL: those about statements, and the inherited
 * ones.
 */
@SuppressWarnings("try") // what it inherits may throw InterruptedException on close
final class SqlProducer extends CatalogProducer {
  private static final List<List<Object>> NO_VALUES = List.of(List.of());

  private final Warehouses warehouses;
  private final Running running;
  private final BufferAllocator memory;

  SqlProducer(Warehouses warehouses, Running running, BufferAllocator memory) {
    super(warehouses, memory);
    this.warehouses = warehouses;
    this.running = running;
    this.memory = memory;
  }

  private static Runnable telling(Runnable work) {
    return () -> tell(work);
  }

  // Statements

  @Override
  public FlightInfo getFlightInfoStatement(
      FlightSql.CommandStatementQuery command, CallContext context, FlightDescriptor descriptor) {
    return told(
        () -> {
          requireNoTransaction(command.hasTransactionId(), command.getTransactionId());
          return info(statement(command.getQuery()), descriptor);
        });
  }

  @Override
  public SchemaResult getSchemaStatement(
      FlightSql.CommandStatementQuery command, CallContext context, FlightDescriptor descriptor) {
    return told(() -> schema(statement(command.getQuery())));
  }

  @Override
  public SchemaResult getSchemaPreparedStatement(
      FlightSql.CommandPreparedStatementQuery command,
      CallContext context,
      FlightDescriptor descriptor) {
    return told(() -> schema(Statement.decode(command.getPreparedStatementHandle())));
  }

  private SchemaResult schema(Statement statement) {
    return new SchemaResult(ColumnMetadata.ofAnswer(shape(statement).answer()));
  }

  private Statement statement(String sql) {
    return Statement.once(warehouses.of(sql, CallHeaders.warehouse()), sql, List.of());
  }

  private ArrowQuery.Shape shape(Statement statement) {
    Optional<TableDefinition> own = warehouses.ownSql().named(statement.warehouse());
    if (own.isPresent()) {
      if (!isChange(statement)) {
        warehouses.requireRead(statement.warehouse());
      }
      return warehouses.ownSql().shape(own.get(), statement);
    }
    TableDefinition warehouse = warehouses.named(statement.warehouse());
    if (RowChanges.isChange(statement.sql())) {
      return new ArrowQuery.Shape(Changed.COLUMNS, RowChanges.check(warehouse, statement.sql()));
    }
    warehouses.requireRead(statement.warehouse());
    return ArrowQuery.shape(warehouse, statement.sql());
  }

  private boolean isChange(Statement statement) {
    OwnSql own = warehouses.ownSql();
    return own.named(statement.warehouse())
        .map(table -> own.isChange(table, statement.sql()))
        .orElseGet(() -> RowChanges.isChange(statement.sql()));
  }

  /**
   * Returns the information of a statement. The protocol requires this call to carry out a change.
   * Errors of a query are reported here, before its rows are asked for. The columns come with the
   * rows, since finding them now would need another planning.
   */
  private FlightInfo info(Statement statement, FlightDescriptor descriptor) {
    if (isChange(statement)) {
      List<List<Object>> once = List.of(statement.values());
      return new Changed(running.change(statement, once)).info(descriptor);
    }
    warehouses.requireRead(statement.warehouse());
    CallHeaders.read();
    CallHeaders.scans();
    Optional<TableDefinition> own = warehouses.ownSql().named(statement.warehouse());
    if (own.isPresent()) {
      warehouses.ownSql().shape(own.get(), statement);
    } else {
      ArrowQuery.of(warehouses.named(statement.warehouse()), statement.sql(), statement.values());
    }
    Message command =
        FlightSql.TicketStatementQuery.newBuilder().setStatementHandle(statement.encoded()).build();
    Ticket ticket = new Ticket(Any.pack(command).toByteArray());
    return new FlightInfo(null, descriptor, List.of(new FlightEndpoint(ticket)), -1, -1);
  }

  @Override
  public void getStream(CallContext context, Ticket ticket, ServerStreamListener listener) {
    Any packed = unpacked(ticket.getBytes());
    if (Changed.isOne(packed)) {
      tell(() -> Changed.of(packed).send(memory, listener));
    } else {
      super.getStream(context, ticket, listener);
    }
  }

  @Override
  public void getStreamStatement(
      FlightSql.TicketStatementQuery ticket, CallContext context, ServerStreamListener listener) {
    tell(() -> running.begin(Statement.decode(ticket.getStatementHandle()), listener));
  }

  @Override
  public void cancelFlightInfo(
      CancelFlightInfoRequest request, CallContext context, StreamListener<CancelStatus> listener) {
    tell(
        () -> {
          boolean found = false;
          for (FlightEndpoint endpoint : request.getInfo().getEndpoints()) {
            found |= running.cancel(statement(endpoint.getTicket()).id());
          }
          listener.onNext(found ? CancelStatus.CANCELLING : CancelStatus.NOT_CANCELLABLE);
          listener.onCompleted();
        });
  }

  private static Statement statement(Ticket ticket) {
    try {
      return Statement.decode(
          Any.parseFrom(ticket.getBytes())
              .unpack(FlightSql.TicketStatementQuery.class)
              .getStatementHandle());
    } catch (InvalidProtocolBufferException e) {
      throw UniserveException.invalid("this is no ticket of a statement: " + e.getMessage());
    }
  }

  // Prepared statements: handles that contain the whole statement

  @Override
  public void createPreparedStatement(
      FlightSql.ActionCreatePreparedStatementRequest request,
      CallContext context,
      StreamListener<Result> listener) {
    tell(
        () -> {
          requireNoTransaction(request.hasTransactionId(), request.getTransactionId());
          Statement statement = statement(request.getQuery());
          ArrowQuery.Shape shape = shape(statement);
          FlightSql.ActionCreatePreparedStatementResult result =
              FlightSql.ActionCreatePreparedStatementResult.newBuilder()
                  .setPreparedStatementHandle(statement.encoded())
                  .setDatasetSchema(bytes(ColumnMetadata.ofAnswer(shape.answer())))
                  .setParameterSchema(bytes(shape.parameters()))
                  .build();
          listener.onNext(new Result(Any.pack(result).toByteArray()));
          listener.onCompleted();
        });
  }

  @Override
  public void closePreparedStatement(
      FlightSql.ActionClosePreparedStatementRequest request,
      CallContext context,
      StreamListener<Result> listener) {
    listener.onCompleted();
  }

  @Override
  public Runnable acceptPutPreparedStatementQuery(
      FlightSql.CommandPreparedStatementQuery command,
      CallContext context,
      FlightStream stream,
      StreamListener<PutResult> listener) {
    return telling(
        () -> {
          Statement statement = Statement.decode(command.getPreparedStatementHandle());
          FlightSql.DoPutPreparedStatementResult result =
              FlightSql.DoPutPreparedStatementResult.newBuilder()
                  .setPreparedStatementHandle(statement.with(ArrowValues.row(stream)).encoded())
                  .build();
          answer(result, listener);
        });
  }

  private void answer(Message result, StreamListener<PutResult> listener) {
    try (ArrowBuf metadata = memory.buffer(result.getSerializedSize())) {
      metadata.writeBytes(result.toByteArray());
      listener.onNext(PutResult.metadata(metadata));
    }
    listener.onCompleted();
  }

  // Changes of rows

  @Override
  public Runnable acceptPutStatement(
      FlightSql.CommandStatementUpdate command,
      CallContext context,
      FlightStream stream,
      StreamListener<PutResult> listener) {
    return telling(
        () -> {
          requireNoTransaction(command.hasTransactionId(), command.getTransactionId());
          Statement statement = statement(command.getQuery());
          requireChange(statement);
          changed(running.change(statement, NO_VALUES), listener);
        });
  }

  @Override
  public Runnable acceptPutPreparedStatementUpdate(
      FlightSql.CommandPreparedStatementUpdate command,
      CallContext context,
      FlightStream stream,
      StreamListener<PutResult> listener) {
    return telling(
        () -> {
          Statement prepared = Statement.decode(command.getPreparedStatementHandle());
          changed(running.change(prepared, ArrowValues.rows(stream)), listener);
        });
  }

  @Override
  public Runnable acceptPutStatementBulkIngest(
      FlightSql.CommandStatementIngest command,
      CallContext context,
      FlightStream stream,
      StreamListener<PutResult> listener) {
    return telling(() -> changed(running.append(Ingest.of(command, warehouses), stream), listener));
  }

  /**
   * Checks that a statement is a change. A statement that is neither a change nor a query is
   * refused with the error of queries.
   */
  private void requireChange(Statement statement) {
    if (!isChange(statement)) {
      shape(statement);
      throw UniserveException.invalid("SQL: a query changes nothing; ask for its rows");
    }
  }

  private void changed(long rows, StreamListener<PutResult> listener) {
    answer(new Changed(rows).update(), listener);
  }

  @Override
  public FlightInfo getFlightInfoPreparedStatement(
      FlightSql.CommandPreparedStatementQuery command,
      CallContext context,
      FlightDescriptor descriptor) {
    return told(
        () -> {
          Statement prepared = Statement.decode(command.getPreparedStatementHandle());
          return info(
              Statement.once(prepared.warehouse(), prepared.sql(), prepared.values()), descriptor);
        });
  }

  private static ByteString bytes(Schema schema) {
    return ByteString.copyFrom(schema.serializeAsMessage());
  }
}
