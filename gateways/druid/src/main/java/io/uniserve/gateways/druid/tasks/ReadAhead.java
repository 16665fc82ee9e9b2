package io.uniserve.gateways.druid.tasks;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/**
 * The reading of a task's rows on a thread of its own, ahead of what uses them: a batch is read
 * while the one before is checked or stored.
 *
 * @param <T> the type of a row
 */
final class ReadAhead<T> {
  /** The rows of a batch. */
  static final int BATCH = 5_000;

  /** The batches that are read and not used yet. */
  private static final int AHEAD_MAX = 2;

  private final BlockingQueue<Optional<List<T>>> batches = new ArrayBlockingQueue<>(AHEAD_MAX);
  private final Reading<T> reading;
  private List<T> batch = new ArrayList<>(BATCH);

  private ReadAhead(Reading<T> reading) {
    this.reading = reading;
  }

  /**
   * A reader of rows, in their order.
   *
   * @param <T> the type of a row
   */
  @FunctionalInterface
  interface Reading<T> {
    /** Reads all rows. */
    void forEach(Consumer<T> rows) throws IOException;
  }

  /**
   * Reads all rows and uses them on the calling thread, batch by batch.
   *
   * @throws IOException if they cannot be read
   */
  static <T> void run(Reading<T> reading, Consumer<List<T>> use) throws IOException {
    new ReadAhead<>(reading).run(use);
  }

  private void run(Consumer<List<T>> use) throws IOException {
    FutureTask<Void> reader = new FutureTask<>(this::read, null);
    Thread thread = Thread.ofPlatform().daemon().name("reader of a task").start(reader);
    try {
      for (Optional<List<T>> next = batches.take(); next.isPresent(); next = batches.take()) {
        use.accept(next.get());
      }
      reader.get();
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } finally {
      thread.interrupt(); // which ends it if the rows are not used to the end
    }
  }

  private void read() {
    try {
      reading.forEach(this::add);
      if (!batch.isEmpty()) {
        put(Optional.of(batch));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      put(Optional.empty());
    }
  }

  private void add(T row) {
    batch.add(row);
    if (batch.size() == BATCH) {
      put(Optional.of(batch));
      batch = new ArrayList<>(BATCH);
    }
  }

  private void put(Optional<List<T>> next) {
    try {
      batches.put(next);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static UniserveException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new UniserveException(ErrorCode.CANCELLED, "the task was interrupted", e);
  }

  private static IOException failure(Throwable cause) {
    return switch (cause) {
      case UncheckedIOException unread -> unread.getCause();
      case RuntimeException wrong -> throw wrong;
      default -> throw new IllegalStateException(cause);
    };
  }
}
