package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.RingChangeEnded;
import io.uniserve.runtime.wire.cluster.ControlRecord.RingChangePlaced;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.ring.RingMember;
import io.uniserve.simulation.scenario.cluster.work.RingWitness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The checks of rings. Changes are made in the order of their submission, each at most once, and
 * each ends once. At rest, each range has its copies on its owner and successors. The ring that
 * this knows is made of the records alone.
 */
final class RingChanges implements RingWitness {
  /** The number of times that clients asked for a change. */
  private final Map<String, Integer> asked = new TreeMap<>();

  /** The number of times that a change was recorded. */
  private final Map<String, Integer> recorded = new TreeMap<>();

  /** The rings, by table. */
  private final Map<Long, Known> rings = new TreeMap<>();

  /** A ring as its records say: places and servers, and the changes that have not ended. */
  private static final class Known {
    private final TreeMap<PartitionKey, String> servers = new TreeMap<>();
    private final List<RingChange> waiting = new ArrayList<>();
    private final Map<Long, RingChange> numbers = new TreeMap<>();
    private long ended;
    private boolean placed;

    void apply(RingChange change) {
      switch (change) {
        case RingChange.Expand it -> servers.put(it.at(), it.server());
        case RingChange.Contract it -> servers.values().remove(it.server());
        case RingChange.Replace it ->
            servers.replaceAll((at, server) -> server.equals(it.server()) ? it.by() : server);
        case RingChange.Rebalance it -> {
          servers.values().remove(it.server());
          servers.put(it.at(), it.server());
        }
      }
    }
  }

  /** Takes every record, in order. */
  void told(ControlRecord record) {
    switch (record) {
      case ControlRecord.RingBegun begun -> {
        Known ring = new Known();
        for (RingMember member : begun.members()) {
          ring.servers.put(member.at(), member.server());
        }
        rings.put(begun.table(), ring);
      }
      case ControlRecord.RingChangeSubmitted submitted ->
          known(submitted.table()).ifPresent(ring -> submit(ring, submitted.change()));
      case RingChangePlaced placed -> known(placed.table()).ifPresent(ring -> place(ring, placed));
      case RingChangeEnded ended -> known(ended.table()).ifPresent(ring -> end(ring, ended));
      case ControlRecord.TableDropped dropped -> rings.remove(dropped.table());
      default -> {
        // Nothing else changes a ring.
      }
    }
  }

  private Optional<Known> known(long table) {
    return Optional.ofNullable(rings.get(table));
  }

  @Override
  public void asked(RingChange change) {
    asked.merge(change.toString(), 1, Integer::sum);
  }

  @Override
  public void answered(RingChange change, long number) {
    rings.values().stream()
        .filter(ring -> ring.numbers.size() >= number)
        .forEach(
            ring ->
                Invariant.RING_CHANGES_IN_ORDER.require(
                    change.equals(ring.numbers.get(number)),
                    () -> number + " is said of " + change + ": " + ring.numbers));
  }

  private void submit(Known ring, RingChange change) {
    ring.waiting.add(change);
    ring.numbers.put(ring.numbers.size() + 1L, change);
    int times = recorded.merge(change.toString(), 1, Integer::sum);
    Invariant.RING_CHANGES_IN_ORDER.require(
        times <= asked.getOrDefault(change.toString(), 0),
        () -> change + " was recorded more often than clients asked for it");
  }

  private static void place(Known ring, RingChangePlaced placed) {
    requireFirst(ring, placed.number(), placed);
    Invariant.RING_CHANGES_IN_ORDER.require(!ring.placed, () -> placed + " is placed twice");
    ring.placed = true;
    ring.apply(ring.waiting.getFirst());
  }

  private static void end(Known ring, RingChangeEnded ended) {
    requireFirst(ring, ended.number(), ended);
    Invariant.RING_CHANGES_IN_ORDER.require(
        ended.done() == ring.placed, () -> ended + ", placed: " + ring.placed);
    ring.placed = false;
    ring.waiting.removeFirst();
    ring.ended = ended.number();
  }

  private static void requireFirst(Known ring, long number, ControlRecord record) {
    Invariant.RING_CHANGES_IN_ORDER.require(
        number == ring.ended + 1 && !ring.waiting.isEmpty(),
        () -> record + " after change " + ring.ended);
  }

  /** Forgets all rings, since records are missing before the next one. */
  void beginAnew() {
    rings.clear();
  }

  /**
   * Checks that the copies of a table at rest are on the owners and their successors.
   *
   * @return false if some record is missing, so that this is not known
   */
  boolean checkAtRest(TableState table) {
    Optional<Known> known = known(table.id());
    known.ifPresent(
        ring ->
            table
                .definition()
                .partitioner()
                .ring()
                .forEach((place, actor) -> check(ring, table, place, actor)));
    return known.isPresent();
  }

  private static void check(Known ring, TableState table, PartitionKey place, int actor) {
    TreeSet<String> wanted = new TreeSet<>();
    PartitionKey at =
        Optional.ofNullable(ring.servers.floorKey(place)).orElse(ring.servers.lastKey());
    while (wanted.size() < table.definition().replicas()) {
      wanted.add(ring.servers.get(at));
      at = Optional.ofNullable(ring.servers.higherKey(at)).orElse(ring.servers.firstKey());
    }
    TreeSet<String> held = new TreeSet<>();
    for (CopyState copy : table.actors().get(actor).copies()) {
      held.add(copy.server());
    }
    Invariant.RING_SUCCESSORS_HOLD.require(
        held.equals(wanted),
        () -> "actor " + actor + " is on " + held + " and not on " + wanted + ": " + ring.servers);
  }
}
