package io.uniserve.runtime.server.restore;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.wire.BackupMessage.LeftOut;
import io.uniserve.runtime.wire.OrderedMessage.PlacedUpdates;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The plan to restore an ordered table, so that all its actors are at one place in its order. An
 * actor whose newest checkpoint is beyond that place begins with an older one. If a split or merge
 * made it beyond that place, the table is restored as it was before that change, from actors that
 * had all of its data.
 */
public final class OrderPlanner {
  private final long millis;
  private final boolean recovers;
  private final List<Long> placed;
  private final IntFunction<StoredPast> stored;
  private final Map<Integer, StoredPast> pasts = new TreeMap<>();
  private final Map<Stored, CheckpointMeta> metas = new LinkedHashMap<>();
  private Partitioner shape;

  /** The number that no checkpoint and no change may have that the restore begins with. */
  private long bound;

  /** The number that is left out whatever the logs say, with all after it. */
  private long limit;

  private boolean changesLeftOut;

  /** Places in the order that the store has of any actor. */
  private List<OrderPlace> known = List.of();

  /** The number from which on all such places are known. */
  private long knownFrom = Long.MAX_VALUE;

  private Optional<LeftOut> lacked = Optional.empty();

  /** The actor of a split that is left out since the store lacks what came before it. */
  private Optional<Integer> torn = Optional.empty();

  private record Stored(BackupPlace place, Checkpoint checkpoint) {}

  /**
   * The result of planning.
   *
   * @param shape the actors
   * @param cuts the last position of each
   * @param leftOut the first update that is left out because one of its actors lacks it
   */
  public record Planned(Partitioner shape, List<Cut> cuts, Optional<LeftOut> leftOut) {}

  private OrderPlanner(
      Partitioner shape,
      long millis,
      boolean recovers,
      PlacedUpdates placed,
      IntFunction<StoredPast> stored) {
    this.shape = shape;
    this.millis = millis;
    this.recovers = recovers;
    this.placed = placed.byActor();
    this.limit = placed.newest() == Long.MAX_VALUE ? Long.MAX_VALUE : placed.newest() + 1;
    this.bound = limit;
    this.stored = stored;
  }

  /**
   * Plans a restore.
   *
   * @param shape the actors at a moment
   * @param millis the moment
   * @param placed the end of the table's order before the store was read. Nothing after it is
   *     restored, since nobody can tell which of it the store lacks
   * @param stored returns what the store has of an actor, by number, as of the moment
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} if something would be left out
   *     that may have been acknowledged by that moment, if it is not {@link Long#MAX_VALUE}
   */
  public static Planned plan(
      Partitioner shape, long millis, PlacedUpdates placed, IntFunction<StoredPast> stored) {
    return new OrderPlanner(shape, millis, false, placed, stored).plan();
  }

  /**
   * Plans how a table continues after a loss, with whatever the store has.
   *
   * @param shape the table's actors
   * @param placed the newest number that went to each actor, by actor; empty if that is not to
   *     count
   * @param stored returns what the store has of an actor, by number
   */
  public static Planned recover(
      Partitioner shape, List<Long> placed, IntFunction<StoredPast> stored) {
    PlacedUpdates all = new PlacedUpdates(Long.MAX_VALUE, placed);
    return new OrderPlanner(shape, Long.MAX_VALUE, !placed.isEmpty(), all, stored).plan();
  }

  private Planned plan() {
    while (true) {
      leaveOutLaterChanges();
      SortedMap<Integer, OrderCut.Line> lines = new TreeMap<>();
      for (int number : shape.actorsOf(Keys.ALL)) {
        lines.put(number, line(past(number)));
      }
      if (!recovers && millis != Long.MAX_VALUE) {
        long newest = OrderCut.newestBy(lines.values(), millis);
        lines.replaceAll((number, line) -> upTo(newest, past(number), line));
        lines.replaceAll(this::upToNextPlaced);
      }
      OrderCut cut = cut(lines);
      lacked = cut.lacked().or(() -> lacked);
      if (!lines.values().stream().allMatch(line -> line.order().shown() < cut.end())) {
        // Logs that begin earlier may tell that more can be restored.
        bound = cut.end();
      } else if (!leavesOutTornSplit(cut.cuts())) {
        return planned(cut);
      }
    }
  }

  /**
   * Leaves out a split if the store lacks what the actor had before it. The new actor has a part of
   * that.
   *
   * @return true if there is one
   */
  private boolean leavesOutTornSplit(List<Cut> cuts) {
    Optional<PartitionChange.Cut> split =
        shape.actorSplits().filter(one -> past(one.into()).hasMoreOf(one, cuts)).findFirst();
    split.ifPresent(
        one -> {
          torn = Optional.of(one.actor());
          leaveOut(one);
        });
    return split.isPresent();
  }

  /**
   * Cuts the logs. What an actor may lack could have gone to others alone: to some that were merged
   * since, or before the checkpoints that the logs begin with. So more is read if need be.
   */
  private OrderCut cut(SortedMap<Integer, OrderCut.Line> lines) {
    OrderCut cut = new OrderCut(shape, lines, millis, limit, placed, known);
    if (cut.guessed() >= knownFrom) {
      return cut;
    }
    knownFrom = cut.guessed();
    known =
        IntStream.range(0, shape.actors())
            .boxed()
            .flatMap(actor -> placesOf(actor, knownFrom))
            .toList();
    return new OrderCut(shape, lines, millis, limit, placed, known);
  }

  /**
   * Returns the places in the log of an actor from about a number on, as far as the store has that.
   */
  private Stream<OrderPlace> placesOf(int actor, long number) {
    try {
      StoredPast past = past(actor);
      return past.placed(checkpoint -> meta(past, checkpoint).order().shown() < number)
          .flatMap(entry -> OrderCut.place(entry).stream())
          .filter(place -> !place.isOfOrigin());
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.NOT_FOUND) {
        throw e;
      }
      return Stream.empty(); // the restore may do without
    }
  }

  private Planned planned(OrderCut cut) {
    boolean byChange = changesLeftOut && cut.end() == limit;
    Optional<LeftOut> leftOut =
        lacked
            .filter(known -> byChange || known.number() == cut.end())
            .map(known -> known.at(cut.end()));
    if (millis != Long.MAX_VALUE && torn.isPresent()) {
      throw tornApart(torn.get());
    }
    if (millis != Long.MAX_VALUE && leftOut.isPresent() && leavesOutAcknowledged(cut)) {
      throw hasPassedOver(leftOut.get()) ? never(leftOut.get()) : notYet(leftOut.get());
    }
    return new Planned(shape, cut.cuts(), leftOut);
  }

  /**
   * Returns whether something is left out that may have been acknowledged by the moment. If updates
   * were acknowledged only once the store had them, they are whole there. A split or merge that is
   * left out hides the updates after it.
   */
  private boolean leavesOutAcknowledged(OrderCut cut) {
    boolean storedFirst = pasts.values().stream().allMatch(StoredPast::storedFirst);
    return !storedFirst || changesLeftOut || cut.leavesOutWhole();
  }

  /**
   * Returns whether the store has an update only in a checkpoint, together with what came after the
   * moment. While the store did not answer, the actor went on without it.
   */
  private boolean hasPassedOver(LeftOut leftOut) {
    return Optional.ofNullable(pasts.get(leftOut.actor())).stream()
        .flatMap(past -> past.history().checkpoints().stream().map(known -> meta(past, known)))
        .anyMatch(known -> known.order().last() >= leftOut.number());
  }

  private UniserveException never(LeftOut leftOut) {
    return new UniserveException(
        ErrorCode.NOT_FOUND,
        "nothing can be restored as of "
            + Instant.ofEpochMilli(millis)
            + ": the durable store has "
            + leftOut
            + " only in a later checkpoint, and what follows it in the order would be left out."
            + " Restore"
            + otherwise(leftOut));
  }

  private UniserveException notYet(LeftOut leftOut) {
    return new UniserveException(
        ErrorCode.UNAVAILABLE,
        "nothing can be restored as of "
            + Instant.ofEpochMilli(millis)
            + " yet: the durable store lacks "
            + leftOut
            + ", and what follows it in the order would be left out. Try again, or restore"
            + otherwise(leftOut));
  }

  private UniserveException tornApart(int actor) {
    return new UniserveException(
        ErrorCode.UNAVAILABLE,
        "nothing can be restored as of "
            + Instant.ofEpochMilli(millis)
            + " yet: the durable store lacks updates of actor "
            + actor
            + " from before it was split. Try again, or restore without a moment");
  }

  private String otherwise(LeftOut leftOut) {
    return leftOut
            .timeMillis()
            .filter(time -> time <= millis) // later ones are of a server whose clock was ahead
            .map(time -> " as of " + Instant.ofEpochMilli(time - 1) + ", or")
            .orElse("")
        + " without a moment";
  }

  private StoredPast past(int number) {
    return pasts.computeIfAbsent(number, stored::apply);
  }

  /**
   * Leaves out splits and merges that came after an update that is left out, and everything after
   * them. An actor that was merged since was made before that merge, so its own origin is looked at
   * once the merge is left out.
   */
  private void leaveOutLaterChanges() {
    Optional<PartitionChange> late;
    do {
      late =
          shape.history().stream()
              .filter(change -> shape.has(change.into()))
              .filter(change -> shownAtFirst(change) >= bound)
              .findFirst();
      late.ifPresent(this::leaveOut);
    } while (late.isPresent());
  }

  /**
   * Leaves out a change. What came before it is in the logs of the actors that it concerned, and
   * these may tell that more can be restored.
   */
  private void leaveOut(PartitionChange change) {
    limit = Math.min(limit, shownAtFirst(change) + 1);
    bound = limit;
    shape = ((Partitioner.Refined) shape).first(shape.history().indexOf(change));
    changesLeftOut = true;
  }

  /**
   * Returns the newest number of which an actor showed, when it was made, that it had been given; 0
   * if the store does not tell.
   */
  private long shownAtFirst(PartitionChange change) {
    StoredPast past = past(change.into());
    return past.madeAt(change.timeMillis())
        .map(made -> meta(past, made).order().shown())
        .orElse(0L);
  }

  /**
   * Returns an actor's data from its newest checkpoint that has no update and no split that is left
   * out.
   */
  private OrderCut.Line line(StoredPast past) {
    int generation = shape.generation(past.place().actor().number());
    Predicate<Checkpoint> within = known -> isWithin(meta(past, known), generation);
    return recovers
        ? line(past.reachingBackTo(within), within, generation, past.history().end())
        : line(past, within, generation, Position.START);
  }

  /**
   * @param end the end of what the store has of the actor; a log that ends before is not whole
   */
  private OrderCut.Line line(
      StoredPast past, Predicate<Checkpoint> within, int generation, Position end) {
    Optional<Checkpoint> base = past.base(within);
    Position from = base.map(Checkpoint::position).orElse(Position.START);
    ReceivedOrder.Stored order =
        base.map(known -> meta(past, known).order()).orElse(ReceivedOrder.Stored.NONE);
    List<LogEntry> log = recovers ? past.entriesToGap(from) : past.entriesAfter(from);
    Position last = log.isEmpty() ? from : log.getLast().position();
    return new OrderCut.Line(generation, from, order, log, 0, last.sequence() >= end.sequence());
  }

  /**
   * Returns an actor's line with all that the store has of the order up to a number. The log was
   * read to its first entry after the moment. That may have taken the short way, and updates whose
   * numbers were given before the moment may have come behind it. Nothing is read that is before a
   * checkpoint without any more of the order.
   */
  private OrderCut.Line upTo(long newest, StoredPast past, OrderCut.Line line) {
    return line.reach() >= newest
        ? line
        : longer(line, past, entry -> OrderCut.number(entry) >= newest);
  }

  /**
   * Returns an actor's line with one more of the updates that went to it, if the store has it. So
   * it is known whether the store lacks any before that, and whether that is later than the moment.
   */
  private OrderCut.Line upToNextPlaced(int number, OrderCut.Line line) {
    boolean more = number < placed.size() && placed.get(number) > line.reach();
    return more ? longer(line, past(number), OrderPlanner::isPlaced) : line;
  }

  private static boolean isPlaced(LogEntry entry) {
    return OrderCut.place(entry).filter(place -> !place.isOfOrigin()).isPresent();
  }

  private OrderCut.Line longer(OrderCut.Line line, StoredPast past, Predicate<LogEntry> last) {
    long reach = line.reach();
    Position read = line.log().isEmpty() ? line.base() : line.log().getLast().position();
    Position from =
        past.history().checkpoints().stream()
            .filter(known -> known.position().sequence() > read.sequence())
            .filter(known -> meta(past, known).order().last() <= reach)
            .findFirst()
            .map(Checkpoint::position)
            .orElse(read);
    return line.with(past.placedAfter(from, last));
  }

  private boolean isWithin(CheckpointMeta meta, int generation) {
    return meta.order().shown() < bound && meta.generation() <= generation;
  }

  private CheckpointMeta meta(StoredPast past, Checkpoint checkpoint) {
    return metas.computeIfAbsent(
        new Stored(past.place(), checkpoint), absent -> past.meta(checkpoint));
  }
}
