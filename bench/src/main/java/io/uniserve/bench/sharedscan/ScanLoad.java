package io.uniserve.bench.sharedscan;

import io.uniserve.engines.sharedscan.scan.Operation;
import io.uniserve.engines.sharedscan.scan.Scanner;
import io.uniserve.tickets.TicketStatements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** Load on the scan thread of a segment, from one thread. */
final class ScanLoad {
  private static final int TOGETHER = 4_096;
  private static final int IN_FLIGHT = 2;
  private static final double NANOS = 1e9;

  private final TicketSegment tickets;
  private final Scanner scanner;

  ScanLoad(TicketSegment tickets, Scanner scanner) {
    this.tickets = tickets;
    this.scanner = scanner;
  }

  /** Returns how many statements a second are done, if some thousands always wait. */
  double perSecond(Supplier<String> statements, Duration time) {
    List<CompletableFuture<Object>> waiting = new ArrayList<>();
    long began = System.nanoTime();
    long done = 0;
    while (System.nanoTime() - began < time.toNanos()) {
      List<Operation> some = new ArrayList<>(TOGETHER);
      for (int i = 0; i < TOGETHER; i++) {
        some.add(tickets.operation(statements.get()));
      }
      waiting.add(scanner.submit(some));
      if (waiting.size() >= IN_FLIGHT) {
        Scanner.result(waiting.removeFirst());
        done += TOGETHER;
      }
    }
    double seconds = (System.nanoTime() - began) / NANOS;
    waiting.forEach(Scanner::result);
    return done / seconds;
  }

  /** Returns the median duration of a pass for one statement alone, in nanoseconds. */
  long pass(Supplier<List<String>> statements, int times) {
    long[] nanos = new long[times];
    for (int i = 0; i < times; i++) {
      Scanner.result(scanner.submit(statements.get().stream().map(tickets::operation).toList()));
      nanos[i] = scanner.last().nanos();
    }
    Arrays.sort(nanos);
    return nanos[times / 2];
  }

  /** Returns the mean duration of a pass for one statement alone, in nanoseconds. */
  long meanPass(Supplier<String> statements, int times) {
    long sum = 0;
    for (int i = 0; i < times; i++) {
      Scanner.result(scanner.submit(List.of(tickets.operation(statements.get()))));
      sum += scanner.last().nanos();
    }
    return sum / times;
  }

  /**
   * The outcome of a mix at a rate.
   *
   * @param perSecond the statements that were done
   * @param medianNanos the median of the durations of queries, from when they were due
   * @param p99Nanos the 99th percentile of the same
   * @param cycleNanos the median of the durations of cycles, as queries met them
   * @param longCycleNanos the 99th percentile of the same
   */
  record Mix(
      double perSecond, long medianNanos, long p99Nanos, long cycleNanos, long longCycleNanos) {}

  /** Sends queries at a rate, and half as many updates, whether earlier ones are done or not. */
  Mix mix(TicketStatements statements, int queriesPerSecond, Duration time) {
    Queue<Long> latencies = new ConcurrentLinkedQueue<>();
    Queue<Long> cycles = new ConcurrentLinkedQueue<>();
    List<CompletableFuture<?>> all = new ArrayList<>();
    long began = System.nanoTime();
    long step = (long) (NANOS / queriesPerSecond);
    long sent = 0;
    for (long due = began; due - began < time.toNanos(); due += step) {
      while (System.nanoTime() < due) {
        Thread.onSpinWait();
      }
      long begun = due;
      all.add(
          scanner
              .submit(List.of(tickets.operation(statements.query())))
              .thenRun(
                  () -> {
                    latencies.add(System.nanoTime() - begun);
                    cycles.add(scanner.last().nanos());
                  }));
      if (sent++ % 2 == 0) {
        all.add(scanner.submit(List.of(tickets.operation(statements.update()))));
      }
    }
    all.forEach(CompletableFuture::join);
    double seconds = (System.nanoTime() - began) / NANOS;
    return new Mix(
        all.size() / seconds,
        share(latencies, 0.5),
        share(latencies, 0.99),
        share(cycles, 0.5),
        share(cycles, 0.99));
  }

  private static long share(Queue<Long> values, double share) {
    long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
    return sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))];
  }
}
