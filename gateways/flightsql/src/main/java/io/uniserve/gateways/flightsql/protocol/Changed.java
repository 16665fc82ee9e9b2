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
 * What is answered to a change that was sent as if it were a query: as many rows as it changed,
 * without columns. So clients see that there is nothing to fetch, and how many rows it was.
 *
 * @param rows how many changed
 */
public record Changed(long rows) {
  /** What has no columns is taken for a change by clients. */
  public static final Schema COLUMNS = new Schema(List.of());

  /** Whether a ticket is for such rows. */
  public static boolean isOne(Any ticket) {
    return ticket.is(FlightSql.DoPutUpdateResult.class);
  }

  /**
   * Reads a ticket.
   *
   * @throws UniserveException if there is something else in it
   */
  public static Changed of(Any ticket) {
    try {
      return new Changed(ticket.unpack(FlightSql.DoPutUpdateResult.class).getRecordCount());
    } catch (InvalidProtocolBufferException e) {
      throw UniserveException.invalid("this is no ticket of a change: " + e.getMessage());
    }
  }

  /** As the protocol tells it of what is known for a change. */
  public FlightSql.DoPutUpdateResult update() {
    return FlightSql.DoPutUpdateResult.newBuilder().setRecordCount(rows).build();
  }

  /** Tells how many, with a ticket for as many rows. */
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
