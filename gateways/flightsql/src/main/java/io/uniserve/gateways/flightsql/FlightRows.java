package io.uniserve.gateways.flightsql;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.gateways.flightsql.protocol.ColumnMetadata;
import io.uniserve.sql.arrow.ArrowSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/** A sink that sends rows to a client, no faster than the client takes them. */
final class FlightRows implements ArrowSink, AutoCloseable {
  /** The most bytes of a message, unless one row is larger. Drivers accept 16 MiB by default. */
  private static final int MESSAGE_BYTES_MAX = 4 << 20;

  private final ServerStreamListener listener;
  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Runnable> whenCancelled = new ArrayList<>();
  private boolean cancelled;
  private BufferAllocator memory;
  private VectorSchemaRoot sent;
  private VectorLoader loader;

  /**
   * Makes the sink. Must be called on the thread that was given the listener.
   *
   * @param patience the longest wait for a client that takes no rows
   */
  FlightRows(ServerStreamListener listener, Duration patience) {
    this.listener = listener;
    this.patience = patience;
    listener.setOnCancelHandler(this::cancel);
    listener.setOnReadyHandler(this::wake);
  }

  /** Cancels the transfer, because nobody wants the rows any more. */
  void cancel() {
    List<Runnable> tasks;
    lock.lock();
    try {
      if (cancelled) {
        return;
      }
      cancelled = true;
      tasks = List.copyOf(whenCancelled);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    tasks.forEach(Runnable::run);
  }

  @Override
  public void whenCancelled(Runnable task) {
    boolean now;
    lock.lock();
    try {
      whenCancelled.add(task);
      now = cancelled;
    } finally {
      lock.unlock();
    }
    if (now) {
      task.run();
    }
  }

  private void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void rows(VectorSchemaRoot rows) {
    if (sent == null) {
      // Buffers can be transferred only between allocators of one root.
      memory =
          rows.getVector(0).getAllocator().getRoot().newChildAllocator("sent", 0, Long.MAX_VALUE);
      sent = VectorSchemaRoot.create(ColumnMetadata.ofAnswer(rows.getSchema()), memory);
      loader = new VectorLoader(sent);
      listener.start(sent);
    }
    int step = rowsOfMessage(rows);
    for (int from = 0; from < rows.getRowCount(); from += step) {
      awaitReady();
      send(rows, from, Math.min(step, rows.getRowCount() - from));
    }
  }

  private static int rowsOfMessage(VectorSchemaRoot rows) {
    long bytes = rows.getFieldVectors().stream().mapToLong(FieldVector::getBufferSize).sum();
    long messages = bytes / MESSAGE_BYTES_MAX + 1;
    return (int) Math.max(1, rows.getRowCount() / messages);
  }

  private void send(VectorSchemaRoot rows, int from, int count) {
    if (count == rows.getRowCount()) {
      load(rows);
    } else {
      try (VectorSchemaRoot some = rows.slice(from, count)) {
        load(some);
      }
    }
    listener.putNext();
    sent.clear();
  }

  private void load(VectorSchemaRoot rows) {
    try (ArrowRecordBatch batch = new VectorUnloader(rows).getRecordBatch()) {
      loader.load(batch);
    }
  }

  private void awaitReady() {
    long nanos = patience.toNanos();
    lock.lock();
    try {
      while (!cancelled && !listener.isReady()) {
        if (nanos <= 0) {
          throw new UniserveException(
              ErrorCode.DEADLINE_EXCEEDED,
              "the client has taken no rows for " + patience.toSeconds() + " s");
        }
        nanos = changed.awaitNanos(nanos);
      }
      if (cancelled) {
        throw new UniserveException(ErrorCode.CANCELLED, "the statement was cancelled");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "the statement was cancelled", e);
    } finally {
      lock.unlock();
    }
  }

  /** Frees the buffers of the last message. */
  @Override
  public void close() {
    if (sent != null) {
      sent.close();
      memory.close();
    }
  }
}
