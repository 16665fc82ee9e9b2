package io.uniserve.runtime.control.reshape;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.Usage;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionChange.Where;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.control.load.LoadView;
import io.uniserve.runtime.control.settings.MergeSettings;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.control.settings.SplitSettings;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.wire.LoadMessage.CopyFigures;
import io.uniserve.runtime.wire.LoadMessage.ReportServer;
import io.uniserve.runtime.wire.LoadMessage.ServerFigures;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.Replay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MergeChoiceTest {
  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final Duration AFTER = Duration.ofMinutes(10);
  private static final long MIB = 1 << 20;
  private static final int TABLE = 1;
  private static final PlacementSettings SETTINGS =
      PlacementSettings.DEFAULT
          .with("greedy", Optional.of(INTERVAL))
          .with(new SplitSettings(100 * MIB, 2))
          .with(new MergeSettings(0.25, AFTER));

  private final StillClock clock = new StillClock();
  private final LoadView loads = new LoadView();
  private ClusterState state = ClusterState.EMPTY;
  private MergeChoice choice = choice(SETTINGS);

  private MergeChoice choice(PlacementSettings settings) {
    return new MergeChoice(clock, settings, table -> true);
  }

  private void apply(ControlRecord record) {
    state = Replay.apply(state, record);
  }

  /** Creates a table that began with two actors, the first of which was split into 0 and 2. */
  @BeforeEach
  void begin() {
    apply(new ControlRecord.ServerJoined("s1", new Address("s1"), 1));
    TableDefinition definition =
        new TableDefinition("t", "tally", new Partitioner.Hash(2), 1, Durability.NONE, Map.of());
    apply(new ControlRecord.TableCreated(TABLE, definition, List.of(List.of("s1"), List.of("s1"))));
    split(0, 2, 1);
    for (int actor = 0; actor < 3; actor++) {
      tell(actor, 0, 0);
    }
  }

  private void split(int actor, int into, int depth) {
    apply(
        new ControlRecord.ActorSplit(
            new ActorId(TABLE, actor),
            new PartitionChange.Cut(actor, into, new Where.Bit(depth - 1), 0),
            10L * into,
            10L * into,
            List.of("s1")));
  }

  private void tell(int actor, double busy, long bytes) {
    CopyFigures copy =
        new CopyFigures(new ActorId(TABLE, actor), busy, busy, 1, new Usage(0, bytes));
    loads.take(new ReportServer("s1", 1, new ServerFigures(1, 4, Usage.NONE, 0), List.of(copy)));
  }

  private Optional<Merges.Pair> next() {
    return choice.next(state, loads).map(MergeChoice.Chosen::pair);
  }

  /** Asks at every interval for a time; returns the pair of the last answer. */
  private Optional<Merges.Pair> after(Duration time) {
    Optional<Merges.Pair> last = next();
    for (Duration passed = INTERVAL; passed.compareTo(time) <= 0; passed = passed.plus(INTERVAL)) {
      assertThat(last).as("before %s", passed).isEmpty();
      clock.advance(INTERVAL);
      last = next();
    }
    return last;
  }

  private static Merges.Pair pair(int one, int other) {
    return Merges.Pair.of(TABLE, one, other);
  }

  @Test
  void neighboursAreMergedOnceTheyWereColdLongEnough() {
    assertThat(after(AFTER)).contains(pair(0, 2));
  }

  @Test
  void whatWasHotMeanwhileHasToStayColdAnew() {
    assertThat(after(AFTER.minus(INTERVAL))).isEmpty();
    tell(2, 1, 0);
    clock.advance(INTERVAL);
    assertThat(next()).isEmpty();
    tell(2, 0, 0);
    clock.advance(INTERVAL);
    assertThat(after(AFTER)).contains(pair(0, 2));
  }

  @Test
  void bothTogetherAreBelowTheShareInSizeAndInLoad() {
    tell(0, 0, 13 * MIB);
    tell(2, 0, 12 * MIB);
    assertThat(after(AFTER)).as("25 of 100 MiB").isEmpty();
    tell(2, 0, 11 * MIB);
    tell(0, 0.5, 13 * MIB);
    clock.advance(INTERVAL);
    assertThat(after(AFTER)).as("0.5 of 2 threads").isEmpty();
    tell(0, 0.4, 13 * MIB);
    clock.advance(INTERVAL);
    assertThat(after(AFTER)).contains(pair(0, 2));
  }

  @Test
  void aTableKeepsAsManyActorsAsItBeganWith() {
    apply(
        new ControlRecord.ActorsMerged(
            TABLE, new PartitionChange.Merge(0, 2, 3, 0), 50, List.of("s1"), "asked for"));
    tell(3, 0, 0);
    assertThat(after(AFTER.multipliedBy(2))).isEmpty();
  }

  @Test
  void whatStayedTwoIsNotAskedForAgainForAnHour() {
    assertThat(after(AFTER)).isPresent();
    clock.advance(INTERVAL);
    assertThat(after(Duration.ofMinutes(58))).as("within the hour").isEmpty();
    clock.advance(INTERVAL.multipliedBy(2));
    assertThat(next()).contains(pair(0, 2));
  }

  @Test
  void whatIsBeingMergedIsPassedOver() {
    apply(new ControlRecord.MergeRequested(new ActorId(TABLE, 0), 2, "asked for"));
    assertThat(after(AFTER)).isEmpty();
    apply(new ControlRecord.MergeGivenUp(new ActorId(TABLE, 0), 2, "no room"));
    clock.advance(INTERVAL);
    assertThat(after(AFTER)).contains(pair(0, 2));
  }

  @Test
  void nothingIsMergedWhilePausedOrWithoutLoadsOrIfNobodyWantsIt() {
    apply(new ControlRecord.ServerJoined("s2", new Address("s2"), 1));
    assertThat(after(AFTER)).as("s2 has not told its load").isEmpty();
    loads.take(new ReportServer("s2", 1, new ServerFigures(1, 4, Usage.NONE, 0), List.of()));
    apply(new ControlRecord.PlacementPaused(true));
    clock.advance(INTERVAL);
    assertThat(after(AFTER)).as("paused").isEmpty();
    apply(new ControlRecord.PlacementPaused(false));
    choice = choice(SETTINGS.with(new MergeSettings(0, AFTER)));
    assertThat(after(AFTER)).as("a share of nothing").isEmpty();
  }
}
