package io.uniserve.node.load;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RefusedLineException;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.remote.Retries;
import io.uniserve.node.rows.Item;
import io.uniserve.node.rows.RowReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A loader of rows in batches, several of them in flight. Each batch has an idempotency key, so
 * that a batch that is sent again after a lost answer is stored once.
 */
public final class Loader {
  private final RemoteCluster cluster;
  private final String path;
  private final String visible;
  private final LoadOptions options;
  private final LoadReport report = new LoadReport();
  private final String run = UUID.randomUUID().toString();
  private final Semaphore free;
  private final AtomicReference<UniserveException> failure = new AtomicReference<>();
  private final Consumer<String> waiting;
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private long batches;

  /**
   * Loads rows in silence.
   *
   * @param table the table to load
   */
  public Loader(RemoteCluster cluster, String table, LoadOptions options) {
    this(cluster, table, options, why -> {});
  }

  /**
   * Loads rows.
   *
   * @param table the table to load
   * @param waiting is told once, on any thread, why something is sent again
   */
  public Loader(
      RemoteCluster cluster, String table, LoadOptions options, Consumer<String> waiting) {
    this.waiting = waiting;
    this.cluster = cluster;
    this.options = options;
    String records = "/api/tables/" + RemoteCluster.part(table) + "/records";
    path = records + (options.skipBad() ? "?skipBad=true" : "");
    visible = records + "?visible=true";
    free = new Semaphore(options.batchesInFlight());
  }

  /** Returns the progress so far, of all files. */
  public LoadReport report() {
    return report;
  }

  /**
   * Loads all rows of one reader and waits until they are stored.
   *
   * @throws UniserveException at the first bad record, naming its file and line, unless they are
   *     skipped; or if the cluster cannot store a batch after several attempts
   */
  public void load(RowReader rows) {
    try {
      read(rows);
    } finally {
      free.acquireUninterruptibly(options.batchesInFlight());
      free.release(options.batchesInFlight());
    }
    throwFailure();
  }

  /** Publishes the records; returns once queries see everything that was stored. */
  public void publish() {
    ByteBuffer none = ByteBuffer.allocate(0);
    Retries.DEFAULT.run(() -> cluster.postRecords(visible, none, run + "/visible"), this::tell);
  }

  /** Tells why something is sent again, each kind of failure once: batches fail alike. */
  private void tell(UniserveException failure) {
    if (told.add(failure.code().name())) {
      waiting.accept(failure.getMessage());
    }
  }

  private void read(RowReader rows) {
    Batch batch = new Batch(++batches);
    for (Optional<Item> item = next(rows); item.isPresent(); item = next(rows)) {
      switch (item.get()) {
        case Item.Bad bad -> refuse(bad.place(), bad.why());
        case Item.Row row -> {
          if (!batch.fits(row, options.batchRecords(), LoadOptions.BATCH_BYTES_MAX)) {
            send(batch);
            batch = new Batch(++batches);
          }
          batch.add(row);
        }
      }
    }
    if (!batch.isEmpty()) {
      send(batch);
    }
  }

  private Optional<Item> next(RowReader rows) {
    try {
      return rows.next();
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.CORRUPT, "cannot read further: " + UniserveException.reason(e), e);
    }
  }

  private void refuse(Item.Place place, String why) {
    if (!options.skipBad()) {
      throw UniserveException.invalid(place + ": " + why);
    }
    report.addSkipped(place, why);
  }

  private void send(Batch batch) {
    free.acquireUninterruptibly();
    if (failure.get() != null) {
      free.release();
      throw failure.get();
    }
    Thread.ofVirtual()
        .name("batch-" + batch.number())
        .start(
            () -> {
              try {
                store(batch);
              } catch (RuntimeException | Error e) { // no batch may be lost unnoticed
                failure.compareAndSet(null, UniserveException.of(e));
              } finally {
                free.release();
              }
            });
  }

  private void store(Batch batch) {
    String key = run + "/" + batch.number();
    try {
      Settings answer =
          new Settings(
              "the answer",
              Retries.DEFAULT.run(() -> cluster.postRecords(path, batch.lines(), key), this::tell));
      report.addStored(answer.integer("stored", 0));
      addSkipped(batch, answer);
    } catch (RefusedLineException e) {
      throw new UniserveException(e.code(), batch.place(e.line()) + ": " + e.reason(), e);
    }
  }

  private void addSkipped(Batch batch, Settings answer) {
    List<?> named = answer.list("rejected");
    for (Object rejected : named) {
      Settings row = new Settings("the answer", rejected);
      report.addSkipped(batch.place(row.integer("line", 1)), row.text("message"));
    }
    report.addSkipped((long) answer.integer("skipped", 0) - named.size());
  }

  private void throwFailure() {
    if (failure.get() != null) {
      throw failure.get();
    }
  }
}
