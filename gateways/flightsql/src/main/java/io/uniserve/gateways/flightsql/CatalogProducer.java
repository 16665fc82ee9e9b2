package io.uniserve.gateways.flightsql;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.uniserve.api.error.UniserveException;
import io.uniserve.gateways.flightsql.protocol.Failures;
import io.uniserve.gateways.flightsql.protocol.Listing;
import io.uniserve.gateways.flightsql.protocol.RefusingProducer;
import io.uniserve.gateways.flightsql.protocol.SqlInfos;
import io.uniserve.gateways.flightsql.protocol.TypeRows;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.sql.impl.FlightSql;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** The producer that answers calls about the catalog. */
@SuppressWarnings("try") // what it inherits may throw InterruptedException on close
class CatalogProducer extends RefusingProducer {
  /** The requests about things that warehouses lack, with the columns of their empty answers. */
  private static final Map<Class<? extends Message>, Schema> NOTHING =
      Map.of(
          FlightSql.CommandGetCatalogs.class, Schemas.GET_CATALOGS_SCHEMA,
          FlightSql.CommandGetExportedKeys.class, Schemas.GET_EXPORTED_KEYS_SCHEMA,
          FlightSql.CommandGetImportedKeys.class, Schemas.GET_IMPORTED_KEYS_SCHEMA,
          FlightSql.CommandGetCrossReference.class, Schemas.GET_CROSS_REFERENCE_SCHEMA);

  private static final Map<Class<? extends Message>, Schema> LISTS = new LinkedHashMap<>(NOTHING);

  static {
    LISTS.put(FlightSql.CommandGetDbSchemas.class, Schemas.GET_SCHEMAS_SCHEMA);
    LISTS.put(FlightSql.CommandGetTableTypes.class, Schemas.GET_TABLE_TYPES_SCHEMA);
    LISTS.put(FlightSql.CommandGetPrimaryKeys.class, Schemas.GET_PRIMARY_KEYS_SCHEMA);
    LISTS.put(FlightSql.CommandGetSqlInfo.class, Schemas.GET_SQL_INFO_SCHEMA);
    LISTS.put(FlightSql.CommandGetXdbcTypeInfo.class, Schemas.GET_TYPE_INFO_SCHEMA);
  }

  private final Listing listing;
  private final CatalogRows rows;
  private final SqlInfos infos = new SqlInfos(Running.PLAN_TIMEOUT, Running.STATEMENTS_MAX);

  CatalogProducer(Warehouses warehouses, BufferAllocator memory) {
    this.listing = new Listing(memory);
    this.rows = new CatalogRows(warehouses);
  }

  /** Runs work and returns its result. Exceptions become Flight statuses. */
  static <T> T told(Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      throw Failures.of(e);
    }
  }

  /** Runs work. Exceptions become Flight statuses. */
  static void tell(Runnable work) {
    told(
        () -> {
          work.run();
          return null;
        });
  }

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
    Any packed = unpacked(command);
    return lists.entrySet().stream()
        .filter(list -> packed.is(list.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** Unpacks the message in a descriptor or a ticket. */
  static Any unpacked(byte[] command) {
    try {
      return Any.parseFrom(command);
    } catch (InvalidProtocolBufferException e) {
      throw Failures.of(UniserveException.invalid("this is no command: " + e.getMessage()));
    }
  }

  /** Returns the information of a listing, whose ticket is the request itself. */
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
  public void getStreamTypeInfo(
      FlightSql.CommandGetXdbcTypeInfo request,
      CallContext context,
      ServerStreamListener listener) {
    tell(() -> listing.send(Schemas.GET_TYPE_INFO_SCHEMA, TypeRows.of(request), listener));
  }

  @Override
  public void getStreamSqlInfo(
      FlightSql.CommandGetSqlInfo request, CallContext context, ServerStreamListener listener) {
    tell(() -> infos.send(request.getInfoList(), listener));
  }
}
