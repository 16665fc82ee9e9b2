package io.uniserve.runtime.server;

import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.Hash;
import io.uniserve.runtime.wire.OrderPlace;
import io.uniserve.runtime.wire.OrderedMessage.Refusal;
import io.uniserve.runtime.wire.UpdateKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * How far an actor has got in the order of its table, and which of its most recent updates its
 * engine refused, by key and body: whoever asks again gets the same answer. Changed by entries of
 * the actor's log alone. For one thread at a time.
 */
final class ReceivedOrder {
  /** How many refusals are remembered; no more updates of a table are under way. */
  static final int REFUSALS_MAX = 1_000;

  private final Map<String, Refusal> refusals;
  private final SortedMap<Integer, Long> shared;
  private long last;

  /**
   * The same as a checkpoint has it.
   *
   * @param last the number of the newest update that the actor has got; 0 before the first
   * @param shared by the number of each other actor, the newest update that went to both; of
   *     itself, the newest
   * @param refusals by {@link UpdateKey#identity}, the oldest first
   */
  record Stored(long last, Map<Integer, Long> shared, Map<String, Refusal> refusals) {
    /** Before the first update. */
    static final Stored NONE = new Stored(0, Map.of(), Map.of());

    /** The same in a table that is made of what this one was. */
    Stored inNewTable() {
      return new Stored(0, Map.of(), refusals);
    }
  }

  /**
   * What is known of one of two actors that become one.
   *
   * @param actor its number
   * @param order how far it had got
   * @param applied the keys of updates that it had applied
   */
  record Part(int actor, Stored order, Predicate<Hash> applied) {}

  /**
   * What an actor has got that two became: what either had. Of an update that one of them refused
   * nothing more is applied.
   */
  static Stored of(Part one, Part other) {
    SortedMap<Integer, Long> shared = new TreeMap<>(one.order.shared());
    other.order.shared().forEach((actor, number) -> shared.merge(actor, number, Math::max));
    long last = Math.max(one.order.last(), other.order.last());
    ReceivedOrder both = new ReceivedOrder(new Stored(last, shared, Map.of()));
    List<String> ones = List.copyOf(one.order.refusals().keySet());
    List<String> others = List.copyOf(other.order.refusals().keySet());
    for (int age = Math.max(ones.size(), others.size()); age > 0; age--) {
      both.refused(other, others, age, one);
      both.refused(one, ones, age, other);
    }
    return both.stored();
  }

  private void refused(Part by, List<String> keys, int age, Part other) {
    if (age <= keys.size()) {
      String key = keys.get(keys.size() - age);
      Refusal refusal = by.order.refusals().get(key);
      refused(key, other.applied.test(UpdateKey.nameIn(key)) ? but(refusal, by, other) : refusal);
    }
  }

  /** There are no aborts: whoever asks again is told so still. */
  private static Refusal but(Refusal refusal, Part by, Part other) {
    return new Refusal(
        refusal.code(),
        refusal.message()
            + " (refused by what was actor "
            + by.actor
            + "; it has happened on what was actor "
            + other.actor
            + ")");
  }

  ReceivedOrder(Stored stored) {
    this.last = stored.last();
    this.shared = new TreeMap<>(stored.shared());
    this.refusals = new LinkedHashMap<>(stored.refusals());
  }

  /** A copy. */
  Stored stored() {
    return new Stored(
        last, new TreeMap<>(shared), Collections.unmodifiableMap(new LinkedHashMap<>(refusals)));
  }

  /** The number of the newest update that the actor has got; 0 before the first. */
  long last() {
    return last;
  }

  /** Why an update was refused, if it was. */
  Optional<Refusal> refusalOf(UpdateKey key) {
    return Optional.ofNullable(refusals.get(key.identity()));
  }

  /** Checks that an update comes in order: nothing that is still to come was to come before it. */
  void requireNext(OrderPlace place) {
    Invariant.TOTAL_ORDER.require(
        place.isOfOrigin() || last <= place.previous() && place.previous() < place.number(),
        () -> place + " comes after " + last);
  }

  /** The actor has got an update, whatever came of it. */
  void received(OrderPlace place) {
    requireNext(place);
    if (!place.isOfOrigin()) {
      last = place.number();
      place.actors().forEach(actor -> shared.put(actor, last));
    }
  }

  /** An update was refused. */
  void refused(UpdateKey key, Refusal refusal) {
    refused(key.identity(), refusal);
  }

  private void refused(String key, Refusal refusal) {
    refusals.remove(key);
    refusals.put(key, refusal);
    if (refusals.size() > REFUSALS_MAX) {
      refusals.remove(refusals.keySet().iterator().next());
    }
  }
}
