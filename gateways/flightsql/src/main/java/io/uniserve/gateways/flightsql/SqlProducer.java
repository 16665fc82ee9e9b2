package io.uniserve.gateways.flightsql;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlchanges.RowChanges;
import io.uniserve.sqlstages.ArrowQuery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.arrow.flight.CancelFlightInfoRequest;
import org.apache.arrow.flight.CancelStatus;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.sql.NoOpFlightSqlProducer;
import org.apache.arrow.flight.sql.impl.FlightSql;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** Answers the calls of Flight SQL; what is not here, such as transactions, is refused. */
@SuppressWarnings("try") // what it inherits may throw InterruptedException on close
final class SqlProducer extends NoOpFlightSqlProducer {
  private static final Schema NO_COLUMNS = new Schema(List.of());
  private static final List<List<Object>> NO_VALUES = List.of(List.of());

  /** What a warehouse has none of. */
  private static final Map<Class<? extends Message>, Schema> NOTHING =
      Map.of(
          FlightSql.CommandGetCatalogs.class, Schemas.GET_CATALOGS_SCHEMA,
          FlightSql.CommandGetExportedKeys.class, Schemas.GET_EXPORTED_KEYS_SCHEMA,
          FlightSql.CommandGetImportedKeys.class, Schemas.GET_IMPORTED_KEYS_SCHEMA,
          FlightSql.CommandGetCrossReference.class, Schemas.GET_CROSS_REFERENCE_SCHEMA,
          FlightSql.CommandGetXdbcTypeInfo.class, Schemas.GET_TYPE_INFO_SCHEMA);

  private static final Map<Class<? extends Message>, Schema> LISTS = new LinkedHashMap<>(NOTHING);

  static {
    LISTS.put(FlightSql.CommandGetDbSchemas.class, Schemas.GET_SCHEMAS_SCHEMA);
    LISTS.put(FlightSql.CommandGetTableTypes.class, Schemas.GET_TABLE_TYPES_SCHEMA);
    LISTS.put(FlightSql.CommandGetPrimaryKeys.class, Schemas.GET_PRIMARY_KEYS_SCHEMA);
    LISTS.put(FlightSql.CommandGetSqlInfo.class, Schemas.GET_SQL_INFO_SCHEMA);
  }

  private final Warehouses warehouses;
  private final Running running;
  private final BufferAllocator memory;
  private final Listing listing;
  private final CatalogRows rows;

  SqlProducer(Warehouses warehouses, Running running, BufferAllocator memory) {
    this.warehouses = warehouses;
    this.running = running;
    this.memory = memory;
    this.listing = new Listing(memory);
    this.rows = new CatalogRows(warehouses);
  }

  private static <T> T told(Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      throw Failures.of(e);
    }
  }

  private static void tell(Runnable work) {
    told(
        () -> {
          work.run();
          return null;
        });
  }

  private static Runnable telling(Runnable work) {
    return () -> tell(work);
  }

  // Statements

  @Override
  public FlightInfo getFlightInfoStatement(
      FlightSql.CommandStatementQuery command, CallContext context, FlightDescriptor descriptor) {
    return told(() -> info(checked(statement(command.getQuery())), descriptor));
  }

  private Statement statement(String sql) {
    TableDefinition warehouse = warehouses.of(sql, WarehouseHeader.current());
    return Statement.once(warehouse.name(), sql, List.of());
  }

  /** What is wrong with a statement is told before its rows are asked for. */
  private Statement checked(Statement statement) {
    ArrowQuery.of(warehouses.named(statement.warehouse()), statement.sql(), statement.values());
    return statement;
  }

  /** What has no columns is taken for a change by clients. */
  private ArrowQuery.Shape checkedChange(Statement statement) {
    return new ArrowQuery.Shape(
        NO_COLUMNS, RowChanges.check(warehouses.named(statement.warehouse()), statement.sql()));
  }

  private ArrowQuery.Shape shape(Statement statement) {
    return ArrowQuery.shape(warehouses.named(statement.warehouse()), statement.sql());
  }

  /** Its rows say what columns they have: to find that out now would be to plan once more. */
  private static FlightInfo info(Statement statement, FlightDescriptor descriptor) {
    Message command =
        FlightSql.TicketStatementQuery.newBuilder().setStatementHandle(statement.encoded()).build();
    Ticket ticket = new Ticket(Any.pack(command).toByteArray());
    return new FlightInfo(null, descriptor, List.of(new FlightEndpoint(ticket)), -1, -1);
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

  // Prepared statements: handles that hold all there is to know

  @Override
  public void createPreparedStatement(
      FlightSql.ActionCreatePreparedStatementRequest request,
      CallContext context,
      StreamListener<Result> listener) {
    tell(
        () -> {
          Statement statement = statement(request.getQuery());
          ArrowQuery.Shape shape =
              RowChanges.isChange(statement.sql()) ? checkedChange(statement) : shape(statement);
          FlightSql.ActionCreatePreparedStatementResult result =
              FlightSql.ActionCreatePreparedStatementResult.newBuilder()
                  .setPreparedStatementHandle(statement.encoded())
                  .setDatasetSchema(bytes(shape.answer()))
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
        () -> changed(running.change(statement(command.getQuery()), NO_VALUES), listener));
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

  private void changed(long rows, StreamListener<PutResult> listener) {
    answer(FlightSql.DoPutUpdateResult.newBuilder().setRecordCount(rows).build(), listener);
  }

  @Override
  public FlightInfo getFlightInfoPreparedStatement(
      FlightSql.CommandPreparedStatementQuery command,
      CallContext context,
      FlightDescriptor descriptor) {
    return told(
        () -> {
          Statement prepared = Statement.decode(command.getPreparedStatementHandle());
          Statement statement =
              Statement.once(prepared.warehouse(), prepared.sql(), prepared.values());
          return info(checked(statement), descriptor);
        });
  }

  // What there is

  @Override
  public FlightInfo getFlightInfo(CallContext context, FlightDescriptor descriptor) {
    return list(LISTS, descriptor.getCommand())
        .map(schema -> listed(schema, descriptor))
        .orElseGet(() -> super.getFlightInfo(context, descriptor));
  }

  @Override
  public void getStream(CallContext context, Ticket ticket, ServerStreamListener listener) {
    list(NOTHING, ticket.getBytes())
        .ifPresentOrElse(
            schema -> listing.send(schema, List.of(), listener),
            () -> super.getStream(context, ticket, listener));
  }

  private static Optional<Schema> list(
      Map<Class<? extends Message>, Schema> lists, byte[] command) {
    try {
      Any packed = Any.parseFrom(command);
      return lists.entrySet().stream()
          .filter(list -> packed.is(list.getKey()))
          .map(Map.Entry::getValue)
          .findFirst();
    } catch (InvalidProtocolBufferException e) {
      throw Failures.of(UniserveException.invalid("this is no command: " + e.getMessage()));
    }
  }

  /** What is to be listed is asked for with the same bytes again. */
  private static FlightInfo listed(Schema schema, FlightDescriptor descriptor) {
    Ticket ticket = new Ticket(descriptor.getCommand());
    return new FlightInfo(schema, descriptor, List.of(new FlightEndpoint(ticket)), -1, -1);
  }

  @Override
  public void getStreamSchemas(
      FlightSql.CommandGetDbSchemas request, CallContext context, ServerStreamListener listener) {
    tell(() -> listing.send(Schemas.GET_SCHEMAS_SCHEMA, rows.schemas(request), listener));
  }

  @Override
  public FlightInfo getFlightInfoTables(
      FlightSql.CommandGetTables request, CallContext context, FlightDescriptor descriptor) {
    return listed(tablesSchema(request), descriptor);
  }

  private static Schema tablesSchema(FlightSql.CommandGetTables request) {
    return request.getIncludeSchema()
        ? Schemas.GET_TABLES_SCHEMA
        : Schemas.GET_TABLES_SCHEMA_NO_SCHEMA;
  }

  @Override
  public void getStreamTables(
      FlightSql.CommandGetTables request, CallContext context, ServerStreamListener listener) {
    tell(() -> listing.send(tablesSchema(request), rows.tables(request), listener));
  }

  private static ByteString bytes(Schema schema) {
    return ByteString.copyFrom(schema.serializeAsMessage());
  }

  @Override
  public void getStreamTableTypes(CallContext context, ServerStreamListener listener) {
    listing.send(Schemas.GET_TABLE_TYPES_SCHEMA, List.of(List.of(CatalogRows.TABLE)), listener);
  }

  @Override
  public void getStreamPrimaryKeys(
      FlightSql.CommandGetPrimaryKeys request, CallContext context, ServerStreamListener listener) {
    tell(() -> listing.send(Schemas.GET_PRIMARY_KEYS_SCHEMA, rows.primaryKeys(request), listener));
  }

  @Override
  public void getStreamSqlInfo(
      FlightSql.CommandGetSqlInfo request, CallContext context, ServerStreamListener listener) {
    tell(() -> SqlInfos.send(listener));
  }
}
