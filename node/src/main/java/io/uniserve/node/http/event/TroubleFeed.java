package io.uniserve.node.http.event;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.base.Statuses;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.tables.CopyTroubles;
import io.uniserve.runtime.client.tables.CopyTroubles.CopyTrouble;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The failures of copies as events. Each failure is told once, and so is its end. */
public final class TroubleFeed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TroubleFeed.class);

  private record Copy(long table, int actor, String server) {}

  private final UniserveClient client;
  private final Statuses statuses;
  private final EventLog events;
  private final Map<Copy, String> told = new LinkedHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("trouble-feed").factory());

  /** Begins to ask servers for failures, once in each period. */
  public TroubleFeed(UniserveClient client, Statuses statuses, EventLog events, Duration every) {
    this.client = client;
    this.statuses = statuses;
    this.events = events;
    timer.scheduleWithFixedDelay(
        this::look, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void look() {
    try {
      List<ServerStatus> answers = statuses.get();
      Map<Copy, String> over = new LinkedHashMap<>(told);
      for (TableState table : client.state().tables().values()) {
        for (CopyTrouble trouble : CopyTroubles.of(table.id(), answers).all()) {
          Copy copy = new Copy(table.id(), trouble.actor(), trouble.server());
          over.remove(copy);
          tell(copy, table, trouble);
        }
      }
      over.keySet().removeIf(copy -> answers.stream().noneMatch(it -> isOf(it, copy)));
      over.keySet().forEach(this::tellEnd);
    } catch (UniserveException e) {
      LOG.warn("could not ask for failures of copies: {}", e.getMessage());
    }
  }

  private static boolean isOf(ServerStatus status, Copy copy) {
    return status.server().equals(copy.server());
  }

  /** Tells a failure, unless the same failure of this copy was told before. */
  private void tell(Copy copy, TableState table, CopyTrouble trouble) {
    String message = trouble.trouble().message();
    if (!message.equals(told.put(copy, message))) {
      events.add("trouble", name(table, copy) + " fails on " + copy.server(), message);
    }
  }

  private void tellEnd(Copy copy) {
    String before = told.remove(copy);
    TableState table = client.state().tables().get(copy.table());
    if (table != null) {
      events.add("mended", name(table, copy) + " fails no more on " + copy.server(), before);
    }
  }

  private static String name(TableState table, Copy copy) {
    return table.definition().name() + "/" + copy.actor();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
