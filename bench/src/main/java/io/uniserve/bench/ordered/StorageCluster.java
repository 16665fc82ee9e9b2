package io.uniserve.bench.ordered;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.UniserveClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Storage processes in one process, with an ordered table of a part for each. A process takes 10 ms
 * for an operation, however many of its parts it concerns: 100 operations a second, where the
 * paper's do 5,500.
 */
final class StorageCluster implements AutoCloseable {
  /** The operations a second of one process. */
  static final double PROCESS_PER_SECOND = 100;

  /** The number of the operations under way that keep a process busy. */
  private static final int UNDER_WAY = 24;

  private static final int WINDOW_MAX = 4_096;
  private static final long WINDOW_BYTES = 64L << 20;
  private static final double SERVICE_MICROS = 1e6 / PROCESS_PER_SECOND;
  private static final String TABLE = "parts";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final QueryOptions OPTIONS = new QueryOptions(TIMEOUT);

  private final EmbeddedCluster cluster;
  private final int processes;

  private StorageCluster(EmbeddedCluster cluster, int processes) {
    this.cluster = cluster;
    this.processes = processes;
  }

  /**
   * Starts processes, and makes a table.
   *
   * @param copies the number of copies of each part
   * @param megabytes the size of a copy
   */
  static StorageCluster start(
      Path directory, int processes, Partitioner partitioner, int copies, int megabytes) {
    StorageCluster started =
        new StorageCluster(
            EmbeddedCluster.start(
                new EmbeddedSettings(
                        directory, processes, List.of(new StorageEngine()), Optional.empty())
                    .withWorkers(1)),
            processes);
    started
        .client()
        .createTable(
            new TableDefinition(
                TABLE,
                StorageEngine.NAME,
                partitioner,
                copies,
                Durability.NONE,
                Consistency.ORDERED,
                Map.of(StorageEngine.MEGABYTES, (long) megabytes)),
            TIMEOUT);
    return started;
  }

  /** Returns a partitioner of which part {@code n} has the key {@code n}. */
  static Partitioner ranges(int parts) {
    return parts == 1
        ? new Partitioner.Hash(1)
        : new Partitioner.Range(LongStream.range(1, parts).mapToObj(PartitionKey::of).toList());
  }

  UniserveClient client() {
    return cluster.client();
  }

  /** Kills a process. */
  void stop(String name) {
    cluster.stopServer(name);
  }

  void start(String name) {
    cluster.startServer(name);
  }

  OrderedSession session(int window) {
    return client()
        .updates()
        .session(TABLE, SessionOptions.DEFAULT.withWindow(window, WINDOW_BYTES));
  }

  /**
   * Submits a write.
   *
   * @param share the share of the time of an operation that each of its parts takes
   */
  static OrderedReceipt write(
      OrderedSession session, double share, List<StorageEngine.Place> places) {
    return session.submit(new StorageEngine.Write(micros(share), ""), places);
  }

  /** Submits a write that concerns every part. */
  static OrderedReceipt writeAll(OrderedSession session, double share) {
    return session.submitAll(new StorageEngine.Write(micros(share), ""));
  }

  /** Submits a write that takes no time. */
  static OrderedReceipt writeAtOnce(OrderedSession session, long key, String payload) {
    return session.submit(
        new StorageEngine.Write(0, payload), List.of(new StorageEngine.Place(key)));
  }

  private static long micros(double share) {
    return Math.round(share * SERVICE_MICROS);
  }

  /** Reads the parts of some keys. */
  long read(Keys keys, double share, ReadLevel level) {
    Plan<Long> plan =
        new Plan.Query<>(
            Source.table(TABLE, keys),
            new StorageEngine.Read(micros(share)),
            Operator.Combine.fold(0L, Long::sum));
    return client().query(plan, OPTIONS.withRead(level));
  }

  /** Returns how many writes of one session are applied in a second, if many are under way. */
  double writesPerSecond(Duration time, Function<OrderedSession, OrderedReceipt> write) {
    LongAdder applied = new LongAdder();
    try (OrderedSession session = session(Math.min(WINDOW_MAX, UNDER_WAY * processes))) {
      submit(session, time, write, applied);
      long before = applied.sum();
      long began = System.nanoTime();
      submit(session, time, write, applied);
      double rate = (applied.sum() - before) / ((System.nanoTime() - began) / 1e9);
      session.drain(TIMEOUT);
      return rate;
    }
  }

  /**
   * Returns how many writes a second take the short way, of one session for each part, if many of
   * each are under way. Part {@code n} must have the key {@code n}.
   */
  double shortWritesPerSecond(Duration time) {
    SessionOptions options =
        SessionOptions.DEFAULT.withWindow(UNDER_WAY, WINDOW_BYTES).withShortWay();
    LongAdder applied = new LongAdder();
    List<OrderedSession> sessions =
        Stream.generate(() -> client().updates().session(TABLE, options)).limit(processes).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long began = System.nanoTime();
      for (int i = 0; i < processes; i++) {
        OrderedSession session = sessions.get(i);
        List<StorageEngine.Place> place = List.of(new StorageEngine.Place(i));
        threads.execute(
            () -> submit(session, time.multipliedBy(2), each -> write(each, 1, place), applied));
      }
      await(began + time.toNanos());
      long before = applied.sum();
      long from = System.nanoTime();
      await(began + 2 * time.toNanos());
      return (applied.sum() - before) / ((System.nanoTime() - from) / 1e9);
    } finally {
      sessions.forEach(OrderedSession::close);
    }
  }

  private static void await(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static void submit(
      OrderedSession session,
      Duration time,
      Function<OrderedSession, OrderedReceipt> write,
      LongAdder applied) {
    long began = System.nanoTime();
    while (System.nanoTime() - began < time.toNanos()) {
      write.apply(session).applied().thenRun(applied::increment);
    }
  }

  /** Returns how many reads are answered in a second, if many are under way. */
  double readsPerSecond(Duration time, Runnable read) {
    int clients = Math.min(UNDER_WAY * 2, 6 * processes);
    List<IntConsumer> callers = Collections.nCopies(clients, call -> read.run());
    ClosedLoop.run(1, callers, time.dividedBy(2));
    long began = System.nanoTime();
    int answered = ClosedLoop.run(1, callers, time).count();
    return answered / ((System.nanoTime() - began) / 1e9);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
