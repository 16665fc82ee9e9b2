package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.Plan;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.ReadLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A session that does not wait for its answers where one rule of the short way would have it wait.
 * It is made of many sessions, since one by itself waits. Each begins with all that those before it
 * have heard of.
 */
final class OvertakingSession implements OrderedSession {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Supplier<OrderedSession> open;
  private final Way overtaken;
  private final Way overtaking;
  private final List<OrderedSession> sessions = new ArrayList<>();
  private Optional<Item> newest = Optional.empty();

  /** The ways of updates and reads. */
  enum Way {
    /** Past the order, to one actor. */
    SHORT,
    /** With a place in the order. */
    PLACED,
    /** At a mark that the log of the controllers does not have. */
    MARKED,
    /** None; nothing is overtaken by it. */
    NONE
  }

  /**
   * An update or a read.
   *
   * @param key the key of an update on the short way
   */
  private record Item(Way way, Optional<PartitionKey> key) {}

  /**
   * @param open opens a session
   * @param overtaken the way of what is overtaken
   * @param overtaking the way of what is submitted right after it, and does not wait; of the short
   *     way, updates of another key
   */
  OvertakingSession(Supplier<OrderedSession> open, Way overtaken, Way overtaking) {
    this.open = open;
    this.overtaken = overtaken;
    this.overtaking = overtaking;
  }

  /** Returns the session that takes an item. */
  private OrderedSession sessionOf(Item item) {
    if (newest.filter(item::equals).isEmpty()) {
      boolean overtakes =
          item.way() == overtaking && newest.filter(last -> last.way() == overtaken).isPresent();
      if (!overtakes) {
        closeAll();
      }
      sessions.add(open.get());
      newest = Optional.of(item);
    }
    return sessions.getLast();
  }

  private void closeAll() {
    drain(PATIENCE);
    close();
    sessions.clear();
  }

  @Override
  public <R extends PartitionedRecord> OrderedReceipt submit(
      UpdateFunction<?, R> function, List<? extends R> records) {
    List<PartitionKey> keys =
        records.stream().map(PartitionedRecord::partitionKey).distinct().toList();
    Item item =
        keys.size() == 1
            ? new Item(Way.SHORT, Optional.of(keys.getFirst()))
            : new Item(Way.PLACED, Optional.empty());
    return sessionOf(item).submit(function, records);
  }

  @Override
  public OrderedReceipt submitAll(UpdateFunction<?, ?> function) {
    return sessionOf(new Item(Way.PLACED, Optional.empty())).submitAll(function);
  }

  @Override
  public <R> CompletableFuture<R> read(Plan<R> plan, ReadLevel level, Duration timeout) {
    Way way = level == ReadLevel.SNAPSHOT ? Way.MARKED : Way.PLACED;
    return sessionOf(new Item(way, Optional.empty())).read(plan, level, timeout);
  }

  @Override
  public void drain(Duration timeout) {
    sessions.forEach(session -> session.drain(timeout));
  }

  @Override
  public boolean failed() {
    return sessions.stream().anyMatch(OrderedSession::failed);
  }

  @Override
  public void close() {
    sessions.forEach(OrderedSession::close);
  }
}
