package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A load that adds notes and counts them, from two threads each. If a gateway cannot be reached,
 * the next one is asked.
 */
final class GatewayLoad implements AutoCloseable {
  private final String table;
  private final List<RemoteCluster> gateways;
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong added = new AtomicLong();
  private final AtomicLong numbers = new AtomicLong();
  private final Semaphore adds = new Semaphore(0);
  private final Semaphore counts = new Semaphore(0);
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean stopped;

  GatewayLoad(String table, List<RemoteCluster> gateways) {
    this.table = table;
    this.gateways = gateways;
    for (int i = 0; i < 2; i++) {
      clients.execute(() -> repeat(this::add, adds));
      clients.execute(() -> repeat(this::count, counts));
    }
  }

  private void repeat(Runnable once, Semaphore done) {
    while (!stopped) {
      try {
        once.run();
        done.release();
      } catch (UniserveException e) {
        failures.add(e.code() + " " + e.getMessage());
      }
      Waiting.think();
    }
  }

  private void add() {
    long number = numbers.incrementAndGet();
    String line = "{\"id\":\"n" + number + "\",\"text\":\"text " + number + "\"}\n";
    anywhere(
        gateway ->
            gateway.postRecords(
                "/api/tables/" + table + "/records?acknowledge=all",
                StandardCharsets.UTF_8.encode(line),
                table + "-" + number));
    added.incrementAndGet();
  }

  private void count() {
    long least = added.get();
    long total = total();
    if (total < least) {
      failures.add(total + " notes after " + least + " were acknowledged");
    }
  }

  private long total() {
    Map<String, Object> answer =
        anywhere(gateway -> gateway.get("/api/tables/" + table + "/query?q=text"));
    return (Long) new Settings("the answer", answer).object("result").get("total");
  }

  private <T> T anywhere(Function<RemoteCluster, T> request) {
    try {
      return request.apply(gateways.getFirst());
    } catch (UniserveException e) {
      if (gateways.size() == 1 || e.code() != ErrorCode.UNAVAILABLE || !unreachable(e)) {
        throw e;
      }
      return request.apply(gateways.getLast());
    }
  }

  /**
   * Returns whether the client could not reach the gateway. Only errors of the client itself have a
   * cause.
   */
  private static boolean unreachable(UniserveException e) {
    return e.getCause() instanceof IOException;
  }

  /** Stops adding, and fails if a note was lost or stored twice, or anything failed. */
  void finish() {
    close();
    assertThat(failures).isEmpty();
    assertThat(total()).as("notes in " + table).isEqualTo(added.get());
  }

  /** Waits until the given number of further notes were added and as many counts arrived. */
  void awaitRounds(int more) {
    adds.drainPermits();
    counts.drainPermits();
    adds.acquireUninterruptibly(more);
    counts.acquireUninterruptibly(more);
  }

  @Override
  public void close() {
    stopped = true;
    clients.close();
  }
}
