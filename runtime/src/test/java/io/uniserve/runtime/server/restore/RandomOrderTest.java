package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.wire.OrderedMessage.PlacedUpdates;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Restores of random ordered tables, each compared with what the table had. Updates of the order go
 * to random actors, which receive them late, between updates on the short way and marks.
 */
class RandomOrderTest extends RandomTableFixture<RandomOrderTest.Line> {
  private static final Refusal NO = new Refusal(ErrorCode.INVALID_ARGUMENT, "no");

  private final List<Given> order = new ArrayList<>();

  /** One update of the order. */
  private record Given(long number, long millis, Set<Integer> actors) {}

  /** One actor. */
  static final class Line extends StoredLine {
    private final List<Given> waiting = new ArrayList<>();
    private final ReceivedOrder received;

    /** The numbers that the actors had received of which it was made. */
    private final Set<Long> inherited = new TreeSet<>();

    /** The updates on the short way that these had. */
    private final List<LogEntry> inheritedShort = new ArrayList<>();

    private Line(OrderStoreFixture store, int actor) {
      super(store, actor);
      received = new ReceivedOrder(ReceivedOrder.Stored.NONE);
    }

    private Line(OrderStoreFixture store, int actor, CheckpointMeta made, Line... of) {
      super(store, actor, made);
      received = new ReceivedOrder(made.order());
      for (Line each : of) {
        inherited.addAll(each.numbers(each.log));
        inheritedShort.addAll(each.inheritedShort);
        each.log.stream().filter(RandomOrderTest::isShort).forEach(inheritedShort::add);
      }
    }

    @Override
    CheckpointMeta meta() {
      return new CheckpointMeta(end(), lastMillis(), 0, generation(), received.stored(), List.of());
    }

    @Override
    List<UpdateKey> applied() {
      return List.of();
    }

    /** Returns the numbers of all updates that some of its entries show, and that it began with. */
    private Set<Long> numbers(List<LogEntry> entries) {
      Set<Long> numbers = new TreeSet<>(inherited);
      entries.stream()
          .flatMap(entry -> place(entry).stream())
          .map(OrderPlace::number)
          .forEach(numbers::add);
      return numbers;
    }

    /** Returns the newest number that the log shows to have been given by a moment. */
    private long givenBy(long moment) {
      long given = 0;
      long reach = inherited.stream().mapToLong(Long::longValue).max().orElse(0);
      for (LogEntry entry : log) {
        boolean by = entry.timeMillis() <= moment;
        if (by && isShort(entry)) {
          given = Math.max(given, reach);
        }
        reach = Math.max(reach, OrderCut.number(entry));
        if (by && place(entry).isPresent()) {
          given = Math.max(given, reach);
        }
      }
      return given;
    }

    /** Returns whether an update had taken the short way by a moment, behind a number. */
    private boolean hasShortBehind(long number, long moment) {
      long reach = 0;
      for (int i = 0; i < stored; i++) {
        LogEntry entry = log.get(i);
        if (isShort(entry) && reach >= number && isVisible(i, moment)) {
          return true;
        }
        reach = Math.max(reach, OrderCut.number(entry));
      }
      return false;
    }

    /**
     * Returns whether it was made by a moment, behind a number: without it, its updates are lost.
     */
    private boolean wasMadeBehind(long number, long moment) {
      return madeMillis <= moment && inherited.stream().anyMatch(each -> each >= number);
    }

    private void receive() {
      if (waiting.isEmpty()) {
        return;
      }
      Given first = waiting.removeFirst();
      OrderPlace place =
          new OrderPlace(first.number(), received.last(), List.copyOf(first.actors()));
      long millis = Math.max(first.millis(), lastMillis());
      log.add(
          first.number() % 6 == 0
              ? new LogEntry.Marked(
                  next(), millis, Mark.ofPlace(first.number()), Optional.of(place))
              : new LogEntry.Passed(
                  next(), millis, place, UpdateKey.of("k" + first.number()), Optional.empty()));
      received.received(place);
    }

    private void shortWay(long now, boolean declined) {
      long millis = Math.max(now, lastMillis());
      UpdateKey key = UpdateKey.of("s" + actor + "-" + log.size());
      log.add(
          declined
              ? new LogEntry.Declined(next(), millis, key, NO)
              : new LogEntry.Update(next(), millis, key, NOTHING, NOTHING, Optional.empty()));
      received.receivedShort();
    }

    /** Hears of a number, so that it has received everything before. */
    private void mark(long number) {
      Mark mark = new Mark(number, 1, log.size());
      log.add(new LogEntry.Marked(next(), lastMillis(), mark, Optional.empty()));
      received.marked(mark);
    }

    @Override
    String describe(LogEntry entry) {
      return (isShort(entry) ? " short" : " number " + OrderCut.number(entry))
          + place(entry).map(place -> " of " + place.actors()).orElse("");
    }
  }

  private static Optional<OrderPlace> place(LogEntry entry) {
    return OrderCut.place(entry);
  }

  private static boolean isShort(LogEntry entry) {
    return entry instanceof LogEntry.Update || entry instanceof LogEntry.Declined;
  }

  @Override
  Line first(int actor) {
    return new Line(this, actor);
  }

  @Override
  Line part(Line whole, int actor, CheckpointMeta made) {
    return new Line(this, actor, made, whole);
  }

  @Override
  Line whole(Line one, Line other, int actor, CheckpointMeta made) {
    return new Line(this, actor, made, one, other);
  }

  @Override
  boolean settle(Line line) {
    while (!line.waiting.isEmpty()) {
      line.receive();
    }
    return true;
  }

  @Override
  void step(Line line, boolean gaps) throws IOException {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> give();
      case 3, 4, 5, 6 -> line.receive();
      case 7 -> line.shortWay(now, random.nextInt(4) == 0);
      case 8 -> mark(line);
      case 9, 10 -> line.store();
      default -> {
        if (gaps && random.nextBoolean()) {
          line.passOver();
        } else {
          line.storeWithCheckpoint();
        }
      }
    }
  }

  private void give() {
    Set<Integer> actors = new TreeSet<>();
    do {
      actors.add(random(living()).actor);
    } while (random.nextInt(3) > 0);
    Given next = new Given(order.size() + 1L, now, actors);
    order.add(next);
    actors.forEach(actor -> lines.get(actor).waiting.add(next));
  }

  private void mark(Line line) {
    long upTo = line.waiting.isEmpty() ? order.size() : line.waiting.getFirst().number() - 1;
    long reach = line.received.reach().number();
    if (upTo > reach) {
      line.mark(random.nextLong(reach, upTo) + 1);
    }
  }

  private void storeEverything() {
    for (Line line : lines) {
      settle(line);
      line.store();
    }
  }

  private PlacedUpdates placed() {
    return new PlacedUpdates(
        order.size(),
        lines.stream()
            .map(
                line ->
                    order.stream()
                        .filter(update -> update.actors().contains(line.actor))
                        .mapToLong(Given::number)
                        .max()
                        .orElse(0))
            .toList());
  }

  private OrderPlanner.Planned planned(long moment, boolean storedFirst) {
    return plan(asOf(moment), moment, storedFirst, placed());
  }

  /** Returns the updates of an actor that a restore has; marks do not matter. */
  private static List<LogEntry> restored(Line line, OrderPlanner.Planned planned) {
    return line.upTo(planned.cuts().get(line.actor).last()).stream()
        .filter(entry -> isShort(entry) || place(entry).isPresent())
        .toList();
  }

  /** Requires that the restored updates of the order are all up to a number. */
  private void requireOneOrder(OrderPlanner.Planned planned, String when) {
    requireNothingTorn(planned.shape(), planned.cuts(), when);
    List<Line> some = living(planned.shape());
    long end =
        some.stream()
            .flatMap(line -> line.numbers(restored(line, planned)).stream())
            .mapToLong(Long::longValue)
            .max()
            .orElse(0);
    for (Line line : some) {
      Set<Long> should = new TreeSet<>(line.inherited);
      order.stream()
          .filter(update -> update.number() <= end && update.actors().contains(line.actor))
          .map(Given::number)
          .forEach(should::add);
      Set<Long> has = line.numbers(restored(line, planned));
      assertThat(has).as(when + ", actor " + line.actor + "\n" + this).isEqualTo(should);
    }
    for (Given update : order) {
      assertThat(isMissing(update, end, planned))
          .as(when + ", " + update + " up to " + end + "\n" + this)
          .isFalse();
    }
  }

  /** Returns whether an update up to a number has gone to an actor whose data is not restored. */
  private boolean isMissing(Given update, long end, OrderPlanner.Planned planned) {
    return update.number() <= end
        && update.actors().stream().anyMatch(actor -> !has(planned, actor, update.number()));
  }

  /** Returns whether a restore has an update that has gone to an actor. */
  private boolean has(OrderPlanner.Planned planned, int actor, long number) {
    return living(planned.shape()).stream()
        .filter(line -> line.actor == actor || isOf(line.actor, actor))
        .anyMatch(line -> line.numbers(restored(line, planned)).contains(number));
  }

  /** The store has everything: each moment has exactly what had come to any actor by then. */
  @ParameterizedTest
  @MethodSource("seeds")
  void ofACompleteStoreEachMomentIsRestoredExactly(int seed) throws IOException {
    run(seed, false);
    storeEverything();
    boolean storedFirst = random.nextBoolean();
    for (long moment : moments()) {
      OrderPlanner.Planned planned = planned(moment, storedFirst);
      String when = "as of " + moment + "\n" + this;
      assertThat(planned.leftOut()).as(when).isEmpty();
      assertThat(planned.shape()).as(when).isEqualTo(asOf(moment));
      long end = lines.stream().mapToLong(line -> line.givenBy(moment)).max().orElse(0);
      for (Line line : living(planned.shape())) {
        LogEntry lastPlaced =
            line.log.stream()
                .filter(entry -> place(entry).filter(at -> at.number() <= end).isPresent())
                .reduce(null, (first, second) -> second);
        List<LogEntry> should =
            line.log.stream()
                .filter(
                    entry ->
                        isShort(entry) && entry.timeMillis() <= moment
                            || lastPlaced != null
                                && entry.position().compareTo(lastPlaced.position()) <= 0)
                .filter(entry -> isShort(entry) || place(entry).isPresent())
                .toList();
        assertThat(restored(line, planned)).as("actor " + line.actor + when).isEqualTo(should);
      }
    }
    OrderPlanner.Planned newest = plan(shape, placed());
    assertThat(newest.leftOut()).isEmpty();
    assertThat(newest.shape()).isEqualTo(shape);
    for (Line line : living()) {
      assertThat(newest.cuts().get(line.actor).last()).isEqualTo(line.end());
    }
  }

  /** The store lags behind: nothing is restored that has something missing before it. */
  @ParameterizedTest
  @MethodSource("seeds")
  void ofAStoreThatLagsOneOrderIsRestored(int seed) throws IOException {
    run(seed, false);
    requireOneOrder(plan(shape, placed()), "now");
    requireMoments(true);
    requireMoments(false);
  }

  /** While the store did not answer, actors went on, and acknowledged nothing. */
  @ParameterizedTest
  @MethodSource("seeds")
  void ofAStoreWithGapsNothingAcknowledgedIsLeftOut(int seed) throws IOException {
    run(seed, true);
    storeEverything();
    requireOneOrder(plan(shape, placed()), "now");
    requireMoments(true);
  }

  /** All copies are lost: the table goes on with whatever the store has. */
  @ParameterizedTest
  @MethodSource("seeds")
  void afterALossOneOrderGoesOn(int seed) throws IOException {
    run(seed, true);
    OrderPlanner.Planned planned = recover(shape, placed().byActor());
    requireOneOrder(planned, "after a loss\n" + this);
    for (Line line : living(planned.shape())) {
      Position last = planned.cuts().get(line.actor).last();
      assertThat(last).isLessThanOrEqualTo(line.storedEnd());
    }
  }

  private void requireMoments(boolean storedFirst) {
    for (long moment : moments()) {
      try {
        OrderPlanner.Planned planned = planned(moment, storedFirst);
        requireOneOrder(planned, "as of " + moment);
        requireAllAcknowledged(planned, moment);
      } catch (UniserveException e) {
        assertThat(e.code()).isIn(ErrorCode.UNAVAILABLE, ErrorCode.NOT_FOUND);
        assertThat(mayBeRefused(moment))
            .as("as of " + moment + ": " + e.getMessage() + "\n" + this)
            .isTrue();
      }
    }
  }

  /**
   * Returns whether no restore as of a moment may be possible: the store lags behind, has entries
   * of before the moment only in a checkpoint, or lacks an update that others, or a split or merge,
   * came behind.
   */
  private boolean mayBeRefused(long moment) {
    boolean lags =
        order.stream().anyMatch(update -> !isVisible(update, Long.MAX_VALUE))
            || lines.stream().anyMatch(StoredLine::isBehind);
    return lags
        || lines.stream().anyMatch(line -> line.isBridgedBy(moment))
        || order.stream().anyMatch(update -> isInTheWay(update, moment));
  }

  private boolean isInTheWay(Given lacking, long moment) {
    boolean lacks =
        lacking.actors().stream()
            .flatMap(actor -> lines.get(actor).passedOverAt(moment))
            .flatMap(entry -> place(entry).stream())
            .anyMatch(place -> place.number() == lacking.number());
    return lacks
        && (order.stream()
                .filter(update -> update.number() > lacking.number())
                .anyMatch(update -> isVisible(update, moment))
            || lines.stream().anyMatch(line -> line.hasShortBehind(lacking.number(), moment))
            || lines.stream().anyMatch(line -> line.wasMadeBehind(lacking.number(), moment)));
  }

  /** Returns whether the store may have had an update on all its actors by a moment. */
  private boolean isVisible(Given update, long moment) {
    return update.actors().stream()
        .allMatch(
            actor ->
                lines
                    .get(actor)
                    .visibleBy(moment)
                    .flatMap(entry -> place(entry).stream())
                    .anyMatch(place -> place.number() == update.number()));
  }

  private void requireAllAcknowledged(OrderPlanner.Planned planned, long moment) {
    for (Given update : order) {
      if (isVisible(update, moment)) {
        assertThat(update.actors())
            .as("as of " + moment + ", " + update + ", " + planned + "\n" + this)
            .allMatch(actor -> has(planned, actor, update.number()));
      }
    }
    List<LogEntry> has =
        living(planned.shape()).stream()
            .flatMap(
                line ->
                    Stream.concat(line.inheritedShort.stream(), restored(line, planned).stream()))
            .collect(Collectors.toList());
    for (Line line : lines) {
      line.visibleBy(moment)
          .filter(LogEntry.Update.class::isInstance)
          .forEach(entry -> assertThat(has).as("as of " + moment + "\n" + this).contains(entry));
    }
  }

  @Override
  public String toString() {
    return order + "\n" + super.toString();
  }
}
