package io.uniserve.runtime.control.ring;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.api.partition.RingPlaces;
import io.uniserve.runtime.control.copies.HandOvers;
import io.uniserve.runtime.control.copies.RingHolders;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.reshape.Merges;
import io.uniserve.runtime.control.reshape.Splits;
import io.uniserve.runtime.wire.ControlMessage.ChangeRing;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorPlaced;
import io.uniserve.runtime.wire.cluster.ControlRecord.RingChangeEnded;
import io.uniserve.runtime.wire.cluster.ControlRecord.RingChangePlaced;
import io.uniserve.runtime.wire.cluster.ControlRecord.RingChangeSubmitted;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.Placed;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.Ring;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.ring.RingState;
import io.uniserve.runtime.wire.ring.RingState.Queued;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of rings, one after another for each table (<i>Crescando/RB</i> §6.4). A change goes
 * through these steps, all of which follow from the control log, so another coordinator goes on
 * with it:
 *
 * <ol>
 *   <li>an actor with keys on both sides of a new identifier is split there;
 *   <li>the change becomes part of the configuration: from now on copies are wanted elsewhere, and
 *       are moved there as any copies are;
 *   <li>once they are there, actors are merged that meet where no identifier is any more;
 *   <li>the change has ended, and the next one begins.
 * </ol>
 *
 * <p>At rest, the owner of an actor leads it. Only for the deciding thread.
 */
public final class Rings {
  private static final Logger LOG = LoggerFactory.getLogger(Rings.class);

  /** The number of times in a row that a split may be given up before its change is. */
  private static final int SPLITS_MAX = 3;

  private final Decisions decisions;
  private final Splits splits;
  private final Merges merges;
  private final HandOvers handOvers;
  private final Consumer<ActorId> unfinished;

  /** The requests for the present change of each table. */
  private final Map<Long, Attempts> attempts = new TreeMap<>();

  /** The requests of this coordinator for one change. */
  private static final class Attempts {
    private final long number;
    private final List<Merges.Pair> merged = new ArrayList<>();
    private int actors;
    private int splits;

    Attempts(long number) {
      this.number = number;
    }
  }

  /**
   * @param unfinished receives each actor that is to be looked at again
   */
  public Rings(
      Decisions decisions,
      Splits splits,
      Merges merges,
      HandOvers handOvers,
      Consumer<ActorId> unfinished) {
    this.decisions = decisions;
    this.splits = splits;
    this.merges = merges;
    this.handOvers = handOvers;
    this.unfinished = unfinished;
  }

  /**
   * Records that a ring is to be changed, and returns the number of the change.
   *
   * @throws UniserveException that says why it cannot be
   */
  public long request(ChangeRing request) {
    ClusterState state = decisions.state();
    TableState table = state.requireTable(request.table());
    String name = "table '" + request.table() + "'";
    RingState ring =
        table
            .ring()
            .orElseThrow(
                () -> UniserveException.invalid(name + " is placed by policies, not on a ring"));
    long last = ring.submitted();
    if (request.after().filter(after -> after != last).isPresent()) {
      throw UniserveException.invalid(
          "the ring of "
              + name
              + " is not as it was after change "
              + request.after().get()
              + ": the last one that was submitted is "
              + last);
    }
    if (ring.queue().size() >= RingState.QUEUE_MAX) {
      throw new UniserveException(
          ErrorCode.OVERLOADED,
          ring.queue().size() + " changes of the ring of " + name + " wait already");
    }
    int copies = table.definition().replicas();
    ring.last(copies).after(request.change(), copies);
    requireTaking(state, request.change());
    decisions.record(List.of(new RingChangeSubmitted(table.id(), request.change())));
    return last + 1;
  }

  private static void requireTaking(ClusterState state, RingChange change) {
    Optional<String> receiver = change.receiver();
    if (receiver.filter(server -> !state.servers().containsKey(server)).isPresent()) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND,
          "there is no server '" + receiver.get() + "'; there are " + state.servers().keySet());
    }
    if (receiver.filter(server -> !state.takesCopies(server)).isPresent()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "server " + receiver.get() + " takes no copies");
    }
  }

  /** Takes all rings a step further. */
  public void check() {
    attempts.keySet().removeIf(id -> !decisions.state().tables().containsKey(id));
    for (TableState table : List.copyOf(decisions.state().tables().values())) {
      table.ring().ifPresent(ring -> decisions.attempt(() -> advance(table, ring)));
    }
  }

  private void advance(TableState table, RingState ring) {
    if (ring.queue().isEmpty()) {
      attempts.remove(table.id());
      if (isPlaced(table, RingHolders.of(table, ring.ring()))) {
        lead(table, RingHolders.of(table, ring.ring()));
      }
      return;
    }
    Queued first = ring.queue().getFirst();
    if (first.placed()) {
      finish(table, ring, first);
    } else {
      prepare(table, ring, first);
    }
  }

  private Attempts attempts(TableState table, Queued change) {
    return attempts.compute(
        table.id(),
        (id, known) ->
            known != null && known.number == change.number()
                ? known
                : new Attempts(change.number()));
  }

  /** Cuts an actor at the new identifier, or has the configuration changed. */
  private void prepare(TableState table, RingState ring, Queued first) {
    int copies = table.definition().replicas();
    Ring next;
    try {
      next = ring.ring().after(first.change(), copies);
      requireTaking(decisions.state(), first.change());
      if (first.change().cut().filter(at -> !isCut(table, first, at)).isPresent()) {
        return;
      }
    } catch (UniserveException e) {
      LOG.info("change {} of the ring of table {} is not made: {}", first.number(), table.id(), e);
      end(table, first, false, String.valueOf(e.getMessage()));
      return;
    }
    List<ControlRecord> records = new ArrayList<>();
    records.add(new RingChangePlaced(table.id(), first.number()));
    records.addAll(wishes(table, RingHolders.of(table, next), "change " + first.number()));
    decisions.record(records);
    table.living().keySet().forEach(number -> unfinished.accept(table.actorId(number)));
  }

  /** Returns whether an actor begins at a place; if none does, has one split. */
  private boolean isCut(TableState table, Queued first, PartitionKey at) {
    Partitioner partitioner = table.definition().partitioner();
    SortedMap<PartitionKey, Integer> actors = partitioner.ring();
    boolean least = at.equals(PartitionKey.LEAST);
    if (least || actors.containsKey(at)) {
      return true;
    }
    int number = actors.get(actors.headMap(at).lastKey());
    ActorId id = table.actorId(number);
    if (table.actors().get(number).reshaping().isPresent() || isRedefined(table)) {
      return false;
    }
    Attempts tried = attempts(table, first);
    if (tried.actors != partitioner.actors()) {
      tried.actors = partitioner.actors(); // the last split was made
      tried.splits = 0;
    }
    if (++tried.splits > SPLITS_MAX) {
      throw new UniserveException(
          ErrorCode.ABORTED,
          "actor "
              + number
              + " could not be split at "
              + RingPlaces.text(partitioner, at)
              + ": the events of the cluster tell the reason");
    }
    boolean ranged = partitioner.base() instanceof Partitioner.Range;
    splits.split(
        id,
        ranged ? Optional.of(at) : Optional.empty(),
        "change "
            + first.number()
            + " of its ring needs an actor that begins at "
            + RingPlaces.text(partitioner, at));
    unfinished.accept(id);
    return false;
  }

  /** Returns whether the schema of a table is being changed, so that no actor can be split. */
  private static boolean isRedefined(TableState table) {
    return table.redefined().next().isPresent();
  }

  /** Returns the wishes for actors that are to be elsewhere than they were wanted. */
  private List<ControlRecord> wishes(TableState table, RingHolders holders, String why) {
    List<ControlRecord> wishes = new ArrayList<>();
    table
        .living()
        .forEach(
            (number, actor) -> {
              List<String> wanted = holders.wanted(decisions.state(), number);
              boolean known =
                  actor.placed().map(Placed::servers).filter(wanted::equals).isPresent();
              if (!known && actor.move().isEmpty() && !wanted.isEmpty()) {
                wishes.add(new ActorPlaced(table.actorId(number), wanted, "its ring: " + why));
              }
            });
    return wishes;
  }

  /** Returns whether all copies are where a ring wants them; if not, has them moved. */
  private boolean isPlaced(TableState table, RingHolders holders) {
    List<ControlRecord> wishes = wishes(table, holders, "the owner and its successors");
    if (!wishes.isEmpty()) {
      decisions.record(wishes);
      wishes.forEach(wish -> unfinished.accept(((ActorPlaced) wish).actor()));
      return false;
    }
    return table.living().entrySet().stream()
        .allMatch(actor -> isPlaced(actor.getKey(), actor.getValue(), holders));
  }

  private boolean isPlaced(int number, ActorState actor, RingHolders holders) {
    ClusterState state = decisions.state();
    List<String> wanted = holders.wanted(state, number);
    return actor.move().isEmpty()
        && actor.reshaping().isEmpty()
        && actor.copies().size() <= Math.max(wanted.size(), 1)
        && actor.copies().stream().noneMatch(copy -> copy.status() == Status.RETIRING)
        && wanted.stream().filter(state::takesCopies).allMatch(server -> isReady(actor, server));
  }

  private static boolean isReady(ActorState actor, String server) {
    return actor.copyOn(server).filter(copy -> copy.status() == Status.READY).isPresent();
  }

  /** Ends a change whose copies are in their places, and merges what no identifier parts. */
  private void finish(TableState table, RingState ring, Queued first) {
    RingHolders holders = RingHolders.of(table, ring.ring());
    if (!isPlaced(table, holders) || isRedefined(table)) {
      return;
    }
    Optional<Merges.Pair> pair = mergeable(table, ring.ring(), attempts(table, first));
    if (pair.isPresent()) {
      attempts(table, first).merged.add(pair.get());
      merges.choose(pair.get(), "change " + first.number() + " of its ring left them one owner");
      pair.get().both().forEach(unfinished);
      return;
    }
    end(table, first, true, "");
  }

  /** Returns two neighbours that neither an identifier nor the table's beginning parts. */
  private Optional<Merges.Pair> mergeable(TableState table, Ring ring, Attempts tried) {
    if (!merges.canMerge(table)) {
      return Optional.empty();
    }
    Partitioner partitioner = table.definition().partitioner();
    SortedMap<PartitionKey, Integer> begun = partitioner.base().ring();
    Integer before = null;
    for (Map.Entry<PartitionKey, Integer> actor : partitioner.ring().entrySet()) {
      boolean parted = begun.containsKey(actor.getKey()) || ring.isIdentifier(actor.getKey());
      if (before != null && !parted && partitioner.neighbours(actor.getValue()).contains(before)) {
        Merges.Pair pair = Merges.Pair.of(table.id(), before, actor.getValue());
        if (!tried.merged.contains(pair)) {
          return Optional.of(pair);
        }
      }
      before = actor.getValue();
    }
    return Optional.empty();
  }

  private void end(TableState table, Queued first, boolean done, String why) {
    attempts.remove(table.id());
    decisions.record(List.of(new RingChangeEnded(table.id(), first.number(), done, why)));
  }

  /** Has the owner lead an actor of which it has a readable copy, one actor at a time. */
  private void lead(TableState table, RingHolders holders) {
    for (Map.Entry<Integer, ActorState> actor : table.living().entrySet()) {
      List<String> wanted = holders.wanted(decisions.state(), actor.getKey());
      ActorState state = actor.getValue();
      if (!wanted.isEmpty()
          && !state.primary().equals(wanted.getFirst())
          && isReady(state, wanted.getFirst())
          && isReady(state, state.primary())
          && decisions.state().takesCopies(wanted.getFirst())
          && decisions.state().alive(state.primary())) {
        handOvers.begin(
            table.actorId(actor.getKey()), state, wanted.getFirst(), "the owner on the ring leads");
        return;
      }
    }
  }
}
