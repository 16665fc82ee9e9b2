package io.uniserve.bench.ring;

import io.uniserve.api.error.UniserveException;
import io.uniserve.bench.base.BenchException;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.UniserveClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A load on a table while its ring changes: one session that submits updates at even distances,
 * whether or not those before have been applied, and one reader of each level. Updates are timed
 * from the moment at which they were due.
 */
final class RingLoad implements AutoCloseable {
  private static final long READ_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private final UniserveClient client;
  private final FilmTable table;
  private final long distanceNanos;
  private final long startNanos = System.nanoTime();
  private final Queue<Sample> stable = new ConcurrentLinkedQueue<>();
  private final Queue<Sample> applied = new ConcurrentLinkedQueue<>();
  private final Map<ReadLevel, Queue<Sample>> reads = new EnumMap<>(ReadLevel.class);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean ended;

  /**
   * Begins the load.
   *
   * @param perSecond the number of updates of a second
   */
  RingLoad(UniserveClient client, FilmTable table, int perSecond) {
    this.client = client;
    this.table = table;
    this.distanceNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    threads.execute(this::update);
    for (ReadLevel level : ReadLevel.values()) {
      Queue<Sample> samples = new ConcurrentLinkedQueue<>();
      reads.put(level, samples);
      threads.execute(() -> read(level, samples));
    }
  }

  /** Returns the time since the load began, in seconds. */
  double second() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  private void update() {
    try (OrderedSession session = client.session(FilmTable.NAME)) {
      for (long due = 0; !ended; due += distanceNanos) {
        sleep(startNanos + due - System.nanoTime());
        OrderedReceipt receipt = table.submit(session, 1);
        note(receipt.stable(), due / 1e9, stable);
        note(
            receipt
                .applied()
                .thenAccept(
                    outcome -> {
                      if (!outcome.accepted()) {
                        throw new BenchException("An update was refused: " + outcome);
                      }
                    }),
            due / 1e9,
            applied);
      }
      session.drain(PATIENCE);
    } catch (UniserveException e) {
      applied.add(new Sample(second(), second(), "the session failed: " + e.getMessage()));
    }
  }

  private void note(CompletableFuture<?> moment, double due, Queue<Sample> samples) {
    moment.whenComplete(
        (value, failure) ->
            samples.add(new Sample(due, second(), failure == null ? "" : failure.toString())));
  }

  private void read(ReadLevel level, Queue<Sample> samples) {
    while (!ended) {
      double begin = second();
      String failure = "";
      try {
        table.read(level);
      } catch (UniserveException e) {
        failure = e.code() + " " + e.getMessage();
      }
      samples.add(new Sample(begin, second(), failure));
      sleep(READ_PAUSE_NANOS);
    }
  }

  static void sleep(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted", e);
    }
  }

  /** Ends the load, and waits until all its updates are applied. */
  @Override
  public void close() {
    ended = true;
    threads.close();
  }

  /** Returns the updates of the load, each until it was stable. */
  List<Sample> stable() {
    return List.copyOf(stable);
  }

  /** Returns the updates of the load, each until all its actors had applied it. */
  List<Sample> applied() {
    return List.copyOf(applied);
  }

  /** Returns the updates until stable and until applied, and the reads of each level. */
  List<List<Sample>> allSamples() {
    List<List<Sample>> all = new ArrayList<>(List.of(stable(), applied()));
    for (ReadLevel level : ReadLevel.values()) {
      all.add(reads(level));
    }
    return all;
  }

  List<Sample> reads(ReadLevel level) {
    return List.copyOf(reads.get(level));
  }
}
