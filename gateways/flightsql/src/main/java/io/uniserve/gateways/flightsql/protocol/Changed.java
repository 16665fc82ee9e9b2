package io.uniserve.gateways.flightsql.protocol;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.uniserve.api.error.UniserveException;
import java.util.List;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.sql.impl.FlightSql;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The answer to a change that was sent as a query: as many rows as it changed, without columns.
 * Clients see that there is nothing to fetch, and the number of rows.
 *
 * @param rows the number of changed rows
 */
public record Changed(long rows) {
  /** The empty list of columns, by which clients recognise a change. */
  public static final Schema COLUMNS = new Schema(List.of());

  /** Returns whether a ticket is for such rows. */
  public static boolean isOne(Any ticket) {
    return ticket.is(FlightSql.DoPutUpdateResult.class);
  }

  /**
   * Reads a ticket.
   *
   * @throws UniserveException if the ticket has another content
   */
  public static Changed of(Any ticket) {
    try {
      return new Changed(ticket.unpack(FlightSql.DoPutUpdateResult.class).getRecordCount());
    } catch (InvalidProtocolBufferException e) {
      throw UniserveException.invalid("this is no ticket of a change: " + e.getMessage());
    }
  }

  /** Returns the protocol's result of a statement that was sent as a change. */
  public FlightSql.DoPutUpdateResult update() {
    return FlightSql.DoPutUpdateResult.newBuilder().setRecordCount(rows).build();
  }

  /** Returns the number of rows, with a ticket for as many. */
  public FlightInfo info(FlightDescriptor descriptor) {
    Ticket ticket = new Ticket(Any.pack(update()).toByteArray());
    return new FlightInfo(COLUMNS, descriptor, List.of(new FlightEndpoint(ticket)), -1, rows);
  }

  /** Sends the rows. */
  public void send(BufferAllocator memory, ServerStreamListener listener) {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(COLUMNS, memory)) {
      listener.start(root);
      for (long left = rows; left > 0; left -= root.getRowCount()) {
        root.setRowCount((int) Math.min(left, Integer.MAX_VALUE));
        listener.putNext();
      }
      listener.completed();
    }
  }
}
