package io.uniserve.runtime.server.checkpoint;

import io.uniserve.api.codec.Since;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The place of an actor in the order of its table, and its most recent refused updates, by key and
 * body. A client that asks again gets the same answer. It is changed by entries of the actor's log
 * only. For one thread at a time.
 */
public final class ReceivedOrder {
  /**
   * The number of refusals that are remembered; at most as many updates of a table are under way.
   */
  static final int REFUSALS_MAX = 1_000;

  private final Map<String, Refusal> refusals;
  private final SortedMap<Integer, Long> shared;
  private long last;

  /** The newest item of the order in the actor's log. */
  private Mark reach;

  private long shortAfter;

  /**
   * The form of this object in a checkpoint.
   *
   * @param last the number of the newest update that the actor has got; 0 before the first
   * @param shared the newest update that went to both, by the number of the other actor; of itself,
   *     the newest
   * @param refusals the refusals, by {@link UpdateKey#identity}, the oldest first
   * @param reach the newest mark in the actor's log, if no update came after it
   * @param shortAfter the number after which the newest update stands that took the short way; 0 if
   *     none did
   */
  public record Stored(
      long last,
      Map<Integer, Long> shared,
      Map<String, Refusal> refusals,
      @Since(2) Optional<Mark> reach,
      @Since(2) long shortAfter) {
    /** The state before the first update. */
    public static final Stored NONE = new Stored(0, Map.of(), Map.of());

    /** Creates the state of an actor that has no mark since its newest update. */
    public Stored(long last, Map<Integer, Long> shared, Map<String, Refusal> refusals) {
      this(last, shared, refusals, Optional.empty(), 0);
    }

    /** Returns the newest item of the order in the actor's log. */
    public Mark newest() {
      return reach.orElse(Mark.ofPlace(last));
    }

    /**
     * Returns the newest number of which the actor shows that it was given: that of an update, or
     * one after which an update stands that took the short way.
     */
    public long shown() {
      return Math.max(last, shortAfter);
    }

    /** Returns the same for a table that is restored from this one. */
    Stored inNewTable() {
      return new Stored(0, Map.of(), refusals);
    }
  }

  /**
   * The order of one of two actors that are merged.
   *
   * @param actor its number
   * @param order the place that it had reached
   * @param applied tells whether it had applied the update of a key
   */
  record Part(int actor, Stored order, Predicate<Hash> applied) {}

  /**
   * Returns the order of an actor merged from two: all that either had received. Nothing more is
   * applied of an update that one of them refused.
   */
  static Stored of(Part one, Part other) {
    SortedMap<Integer, Long> shared = new TreeMap<>(one.order.shared());
    other.order.shared().forEach((actor, number) -> shared.merge(actor, number, Math::max));
    long last = Math.max(one.order.last(), other.order.last());
    Mark reach =
        one.order.newest().compareTo(other.order.newest()) >= 0
            ? one.order.newest()
            : other.order.newest();
    long shortAfter = Math.max(one.order.shortAfter(), other.order.shortAfter());
    ReceivedOrder both =
        new ReceivedOrder(new Stored(last, shared, Map.of(), Optional.of(reach), shortAfter));
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

  /**
   * Returns a refusal that names the actors which have applied the update. There are no aborts, so
   * a client that asks again gets the same refusal.
   */
  private static Refusal but(Refusal refusal, Part by, Part other) {
    return new Refusal(
        refusal.code(),
        refusal.message()
            + " (refused by former actor "
            + by.actor
            + "; it was applied on former actor "
            + other.actor
            + ")");
  }

  public ReceivedOrder(Stored stored) {
    this.last = stored.last();
    this.reach = stored.newest();
    this.shortAfter = stored.shortAfter();
    this.shared = new TreeMap<>(stored.shared());
    this.refusals = new LinkedHashMap<>(stored.refusals());
  }

  /** Returns a copy of this state for a checkpoint. */
  public Stored stored() {
    return new Stored(
        last,
        new TreeMap<>(shared),
        Collections.unmodifiableMap(new LinkedHashMap<>(refusals)),
        Optional.of(reach).filter(newest -> !newest.equals(Mark.ofPlace(last))),
        shortAfter);
  }

  /** Returns the number of the newest update that the actor has received; 0 before the first. */
  public long last() {
    return last;
  }

  /**
   * Returns the newest item of the order in the actor's log: an update, by its place, or a mark.
   * For any thread that holds the replica's lock.
   */
  public Mark reach() {
    return reach;
  }

  /** Notes that the actor's log has a mark. */
  public void marked(Mark mark) {
    reach = mark.compareTo(reach) > 0 ? mark : reach;
  }

  /** Notes that the actor has received an update that took the short way. */
  public void receivedShort() {
    shortAfter = reach.number();
  }

  /** Returns the refusal of an update; empty if it was not refused. */
  public Optional<Refusal> refusalOf(UpdateKey key) {
    return Optional.ofNullable(refusals.get(key.identity()));
  }

  /** Checks that an update comes in order: none that comes later belongs before it. */
  public void requireNext(OrderPlace place) {
    Invariant.TOTAL_ORDER.require(
        place.isOfOrigin()
            || last <= place.previous()
                && place.previous() < place.number()
                && reach.number() < place.number(),
        () -> place + " comes after " + last + ", and after " + reach);
  }

  /** Notes that the actor has received an update, applied or refused. */
  public void received(OrderPlace place) {
    requireNext(place);
    if (!place.isOfOrigin()) {
      last = place.number();
      marked(Mark.ofPlace(last));
      place.actors().forEach(actor -> shared.put(actor, last));
    }
  }

  /** Notes that an update was refused. */
  public void refused(UpdateKey key, Refusal refusal) {
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
