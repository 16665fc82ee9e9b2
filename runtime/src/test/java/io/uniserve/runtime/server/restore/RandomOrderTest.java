package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.OrderedMessage.PlacedUpdates;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Restores of random ordered tables, each compared with what the table had. Updates of the order go
 * to random actors, which receive them late, between updates on the short way and marks. Other
 * seeds than the first are played with {@code -Drestores.from} and {@code -Drestores.seeds}.
 */
class RandomOrderTest extends OrderStoreFixture {
  private static final Payload NOTHING = Payload.ofBytes(StillEngine.NAME, ByteBuffer.allocate(0));
  private static final Refusal NO = new Refusal(ErrorCode.INVALID_ARGUMENT, "no");

  private Random random;
  private List<Line> lines;
  private long now = 10;
  private long given;

  private static IntStream seeds() {
    int from = Integer.getInteger("restores.from", 0);
    return IntStream.range(from, from + Integer.getInteger("restores.seeds", 60));
  }

  /** One update of the order. */
  private record Given(long number, long millis, Set<Integer> actors) {}

  private final List<Given> order = new ArrayList<>();

  /** One actor: its log, and what of that the store has. */
  private final class Line {
    private final int actor;
    private final List<Given> waiting = new ArrayList<>();
    private final List<LogEntry> log = new ArrayList<>();
    private final ReceivedOrder received = new ReceivedOrder(ReceivedOrder.Stored.NONE);

    /** The number of entries that were offered to the store, and that it has as log objects. */
    private int stored;

    /** The time since which the store may have had each entry, by index. */
    private final List<Long> visibleSince = new ArrayList<>();

    /** The indexes of entries that it has only in a checkpoint. */
    private final Set<Integer> passedOver = new HashSet<>();

    private boolean opened;

    /** Returns the newest number that the log shows to have been given by a moment. */
    private long givenBy(long moment) {
      long given = 0;
      long reach = 0;
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
        if (isShort(entry) && reach >= number && visibleSince.get(i) <= moment) {
          return true;
        }
        reach = Math.max(reach, OrderCut.number(entry));
      }
      return false;
    }

    private Line(int actor) {
      this.actor = actor;
    }

    private Position end() {
      return log.isEmpty() ? Position.START : log.getLast().position();
    }

    private Position next() {
      return at(1, log.size() + 1);
    }

    private long lastMillis() {
      return log.isEmpty() ? 0 : log.getLast().timeMillis();
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
          random.nextInt(6) == 0
              ? new LogEntry.Marked(
                  next(), millis, Mark.ofPlace(first.number()), Optional.of(place))
              : new LogEntry.Passed(
                  next(), millis, place, UpdateKey.of("k" + first.number()), Optional.empty()));
      received.received(place);
    }

    private void shortWay() {
      long millis = Math.max(now, lastMillis());
      UpdateKey key = UpdateKey.of("s" + actor + "-" + log.size());
      log.add(
          random.nextInt(4) == 0
              ? new LogEntry.Declined(next(), millis, key, NO)
              : new LogEntry.Update(next(), millis, key, NOTHING, NOTHING, Optional.empty()));
      received.receivedShort();
    }

    /** Hears of a number before the next update, so that it has received everything before. */
    private void mark() {
      long upTo = waiting.isEmpty() ? given : waiting.getFirst().number() - 1;
      long reach = received.reach().number();
      if (upTo > reach) {
        Mark mark = new Mark(random.nextLong(reach, upTo) + 1, 1, log.size());
        log.add(new LogEntry.Marked(next(), lastMillis(), mark, Optional.empty()));
        received.marked(mark);
      }
    }

    private void store() {
      if (stored < log.size()) {
        List<LogEntry> more = log.subList(stored, log.size());
        Position after = stored == 0 ? Position.START : log.get(stored - 1).position();
        if (opened) {
          more(actor, after, more.toArray(LogEntry[]::new));
        } else {
          log(actor, after, more.toArray(LogEntry[]::new));
          opened = true;
        }
        more.forEach(entry -> visibleSince.add(entry.timeMillis()));
        stored = log.size();
      }
    }

    /** Stores a checkpoint instead of the log since the last object. */
    private void passOver() throws IOException {
      if (opened && stored < log.size()) {
        Position after = log.get(stored - 1).position();
        gap(actor, after, end());
        checkpoint(actor, end(), lastMillis(), 0, received.stored());
        while (visibleSince.size() < log.size()) {
          passedOver.add(visibleSince.size());
          visibleSince.add(lastMillis());
        }
        stored = log.size();
      }
    }

    private void storeWithCheckpoint() throws IOException {
      store();
      if (opened) {
        checkpoint(actor, end(), lastMillis(), 0, received.stored());
      }
    }
  }

  private static Optional<OrderPlace> place(LogEntry entry) {
    return OrderCut.place(entry);
  }

  private static boolean isShort(LogEntry entry) {
    return entry instanceof LogEntry.Update || entry instanceof LogEntry.Declined;
  }

  /**
   * Runs the table for a while.
   *
   * @param gaps true if the store may not answer for some time
   */
  private void run(int seed, boolean gaps) throws IOException {
    random = new Random(seed);
    int actors = 2 + random.nextInt(3);
    lines = IntStream.range(0, actors).mapToObj(Line::new).toList();
    int steps = 20 + random.nextInt(60);
    for (int step = 0; step < steps; step++) {
      now += random.nextInt(3) == 0 ? 0 : random.nextInt(8);
      Line line = lines.get(random.nextInt(actors));
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> give();
        case 3, 4, 5, 6 -> line.receive();
        case 7 -> line.shortWay();
        case 8 -> line.mark();
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
  }

  private void give() {
    Set<Integer> actors = new TreeSet<>(Set.of(random.nextInt(lines.size())));
    while (random.nextInt(3) > 0) {
      actors.add(random.nextInt(lines.size()));
    }
    given++;
    Given next = new Given(given, now, actors);
    order.add(next);
    actors.forEach(actor -> lines.get(actor).waiting.add(next));
  }

  private void storeEverything() {
    for (Line line : lines) {
      while (!line.waiting.isEmpty()) {
        line.receive();
      }
      line.store();
    }
  }

  private PlacedUpdates placed() {
    return new PlacedUpdates(
        given,
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

  private Partitioner shape() {
    return new Partitioner.Hash(lines.size());
  }

  private List<Long> moments() {
    return Stream.concat(
            lines.stream().flatMap(line -> line.log.stream()).map(LogEntry::timeMillis),
            Stream.of(1L, now + 100))
        .flatMap(millis -> Stream.of(millis - 1, millis))
        .distinct()
        .sorted()
        .toList();
  }

  /** Returns the updates of an actor that a restore has; marks do not matter. */
  private static List<LogEntry> restored(Line line, OrderPlanner.Planned planned) {
    Position last = planned.cuts().get(line.actor).last();
    return line.log.stream()
        .filter(entry -> entry.position().compareTo(last) <= 0)
        .filter(entry -> isShort(entry) || place(entry).isPresent())
        .toList();
  }

  /** Requires that the restored updates of the order are all up to a number. */
  private void requireOneOrder(OrderPlanner.Planned planned, String when) {
    Set<Long> all = new HashSet<>();
    for (Line line : lines) {
      restored(line, planned).stream()
          .flatMap(entry -> place(entry).stream())
          .forEach(place -> all.add(place.number()));
    }
    long end = all.stream().mapToLong(Long::longValue).max().orElse(0);
    for (Line line : lines) {
      Set<Long> has =
          restored(line, planned).stream()
              .flatMap(entry -> place(entry).stream())
              .map(OrderPlace::number)
              .collect(Collectors.toSet());
      Set<Long> should =
          order.stream()
              .filter(update -> update.number() <= end && update.actors().contains(line.actor))
              .map(Given::number)
              .collect(Collectors.toSet());
      assertThat(has).as(when + ", actor " + line.actor).isEqualTo(should);
    }
  }

  /** The store has everything: each moment has exactly what had come to any actor by then. */
  @ParameterizedTest
  @MethodSource("seeds")
  void ofACompleteStoreEachMomentIsRestoredExactly(int seed) throws IOException {
    run(seed, false);
    storeEverything();
    boolean storedFirst = random.nextBoolean();
    for (long moment : moments()) {
      OrderPlanner.Planned planned = plan(shape(), moment, storedFirst, placed());
      String when = "as of " + moment;
      assertThat(planned.leftOut()).as(when).isEmpty();
      long end = lines.stream().mapToLong(line -> line.givenBy(moment)).max().orElse(0);
      for (Line line : lines) {
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
        assertThat(restored(line, planned)).as(when + ", actor " + line.actor).isEqualTo(should);
      }
    }
    OrderPlanner.Planned newest = plan(shape(), placed());
    assertThat(newest.leftOut()).isEmpty();
    for (Line line : lines) {
      assertThat(newest.cuts().get(line.actor).last()).isEqualTo(line.end());
    }
  }

  /** The store lags behind: nothing is restored that has something missing before it. */
  @ParameterizedTest
  @MethodSource("seeds")
  void ofAStoreThatLagsOneOrderIsRestored(int seed) throws IOException {
    run(seed, false);
    requireOneOrder(plan(shape(), placed()), "now");
    requireMoments(true);
    requireMoments(false);
  }

  /** While the store did not answer, actors went on, and acknowledged nothing. */
  @ParameterizedTest
  @MethodSource("seeds")
  void ofAStoreWithGapsNothingAcknowledgedIsLeftOut(int seed) throws IOException {
    run(seed, true);
    storeEverything();
    requireOneOrder(plan(shape(), placed()), "now");
    requireMoments(true);
  }

  /** All copies are lost: the table goes on with whatever the store has. */
  @ParameterizedTest
  @MethodSource("seeds")
  void afterALossOneOrderGoesOn(int seed) throws IOException {
    run(seed, true);
    OrderPlanner.Planned planned = recover(shape(), placed().byActor());
    requireOneOrder(planned, "after a loss\n" + this);
    for (Line line : lines) {
      assertThat(planned.cuts().get(line.actor).last().sequence()).isLessThanOrEqualTo(line.stored);
    }
  }

  private void requireMoments(boolean storedFirst) {
    for (long moment : moments()) {
      try {
        OrderPlanner.Planned planned = plan(shape(), moment, storedFirst, placed());
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
   * of before the moment only in a checkpoint, or lacks an update that others came behind.
   */
  private boolean mayBeRefused(long moment) {
    boolean lags =
        order.stream().anyMatch(update -> !isVisible(update, Long.MAX_VALUE))
            || lines.stream().anyMatch(line -> line.stored < line.log.size());
    boolean bridged =
        lines.stream()
            .anyMatch(
                line -> line.passedOver.stream().anyMatch(i -> line.visibleSince.get(i) <= moment));
    return lags || bridged || order.stream().anyMatch(update -> isInTheWay(update, moment));
  }

  private boolean isInTheWay(Given lacking, long moment) {
    boolean lacks =
        lacking.actors().stream()
            .anyMatch(
                actor -> {
                  Line line = lines.get(actor);
                  return line.passedOver.stream()
                      .filter(i -> line.visibleSince.get(i) > moment)
                      .flatMap(i -> place(line.log.get(i)).stream())
                      .anyMatch(place -> place.number() == lacking.number());
                });
    return lacks
        && (order.stream()
                .filter(update -> update.number() > lacking.number())
                .anyMatch(update -> isVisible(update, moment))
            || lines.stream().anyMatch(line -> line.hasShortBehind(lacking.number(), moment)));
  }

  /** Returns whether the store may have had an update on all its actors by a moment. */
  private boolean isVisible(Given update, long moment) {
    return update.actors().stream()
        .allMatch(
            actor -> {
              Line line = lines.get(actor);
              return IntStream.range(0, line.stored)
                  .filter(i -> line.visibleSince.get(i) <= moment)
                  .mapToObj(line.log::get)
                  .flatMap(entry -> place(entry).stream())
                  .anyMatch(place -> place.number() == update.number());
            });
  }

  private void requireAllAcknowledged(OrderPlanner.Planned planned, long moment) {
    for (Given update : order) {
      if (isVisible(update, moment)) {
        for (int actor : update.actors()) {
          assertThat(restored(lines.get(actor), planned))
              .as("as of " + moment + ", " + update + " on actor " + actor + "\n" + this)
              .anyMatch(
                  entry -> place(entry).filter(at -> at.number() == update.number()).isPresent());
        }
      }
    }
    for (Line line : lines) {
      List<LogEntry> has = restored(line, planned);
      for (int i = 0; i < line.stored; i++) {
        if (line.log.get(i) instanceof LogEntry.Update && line.visibleSince.get(i) <= moment) {
          assertThat(has).as("as of " + moment + "\n" + this).contains(line.log.get(i));
        }
      }
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      text.append("actor ").append(line.actor).append(":\n");
      for (int i = 0; i < line.log.size(); i++) {
        LogEntry entry = line.log.get(i);
        text.append("  ")
            .append(entry.position())
            .append(" at ")
            .append(entry.timeMillis())
            .append(isShort(entry) ? " short" : " number " + OrderCut.number(entry))
            .append(place(entry).map(place -> " of " + place.actors()).orElse(""))
            .append(line.passedOver.contains(i) ? ", in a checkpoint" : "")
            .append(i < line.stored ? "\n" : ", not stored\n");
      }
    }
    return text.toString();
  }
}
