package io.uniserve.runtime.control.reshape;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.Usage;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.control.load.LoadView;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.control.settings.SplitSettings;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.wire.LoadMessage.CopyFigures;
import io.uniserve.runtime.wire.LoadMessage.ReportServer;
import io.uniserve.runtime.wire.LoadMessage.ServerFigures;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.cluster.Reshaping;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SplitChoiceTest {
  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final Duration MOMENT = Duration.ofNanos(1);
  private static final long MIB = 1 << 20;
  private static final int TABLE = 1;
  private static final int RIGID = 2;
  private static final PlacementSettings SETTINGS =
      PlacementSettings.DEFAULT
          .with("greedy", Optional.of(INTERVAL))
          .with(new SplitSettings(100 * MIB, 2));

  private final StillClock clock = new StillClock();
  private final LoadView loads = new LoadView();
  private ClusterState state = ClusterState.EMPTY;
  private SplitChoice choice = choice(SETTINGS);

  private SplitChoice choice(PlacementSettings settings) {
    return new SplitChoice(clock, settings, table -> table.id() != RIGID);
  }

  private void apply(ControlRecord record) {
    state = Replay.apply(state, record);
  }

  /**
   * Creates two tables of four actors, all of whose copies are on two servers; one cannot be split.
   */
  @BeforeEach
  void begin() {
    for (String server : List.of("s1", "s2")) {
      apply(new ControlRecord.ServerJoined(server, new Address(server), 1));
    }
    List<List<String>> everywhere =
        IntStream.range(0, 4).mapToObj(actor -> List.of("s1", "s2")).toList();
    for (int table : List.of(TABLE, RIGID)) {
      TableDefinition definition =
          new TableDefinition(
              "t" + table, "tally", new Partitioner.Hash(4), 2, Durability.NONE, Map.of());
      apply(new ControlRecord.TableCreated(table, definition, everywhere));
    }
  }

  private void tell(String server, int table, int actor, double busy, long memory, long disk) {
    CopyFigures copy =
        new CopyFigures(new ActorId(table, actor), busy, busy, 1, new Usage(memory, disk));
    loads.take(new ReportServer(server, 1, new ServerFigures(1, 4, Usage.NONE, 0), List.of(copy)));
  }

  private void occupies(int table, int actor, long bytes) {
    tell("s1", table, actor, 0, 0, bytes);
  }

  private Optional<String> next() {
    return choice.next(state, loads).map(chosen -> chosen.actor() + ": " + chosen.why());
  }

  @Test
  void theLargestIsSplitThatOneCopyOfIsTooLargeFor() {
    occupies(TABLE, 0, 100 * MIB);
    assertThat(next()).as("as large as it may be").isEmpty();
    clock.advance(INTERVAL);
    occupies(TABLE, 1, 101 * MIB);
    tell("s1", TABLE, 2, 0, 90 * MIB, 60 * MIB);
    tell("s2", TABLE, 2, 0, 91 * MIB, 60 * MIB);
    tell("s1", TABLE, 3, 0, 99 * MIB, 0);
    tell("s2", TABLE, 3, 0, 99 * MIB, 0);
    assertThat(next()).contains("1/2: it occupies 151 MiB, more than 100");
  }

  @Test
  void theBusiestIsSplitThatAllCopiesTogetherAreTooFewFor() {
    tell("s1", TABLE, 0, 2.0, 1, 1);
    tell("s1", TABLE, 1, 1.5, 1, 1);
    tell("s2", TABLE, 1, 1.25, 1, 1);
    tell("s1", TABLE, 2, 1.5, 1, 1);
    tell("s2", TABLE, 2, 1, 1, 1);
    assertThat(next()).contains("1/1: its operators keep 2.75 threads busy, more than 2.00");
  }

  @Test
  void whatExceedsItsBoundTheMostComesFirstBeItForSizeOrLoad() {
    tell("s1", TABLE, 0, 5, 1, 1);
    tell("s1", TABLE, 1, 3, 1, 240 * MIB);
    tell("s1", TABLE, 2, 3, 1, 260 * MIB);
    assertThat(next()).get().asString().startsWith("1/2: it occupies 260 MiB");
    clock.advance(INTERVAL);
    assertThat(next()).get().asString().startsWith("1/0: its operators keep 5.00 threads");
  }

  @Test
  void oneIsSplitInAnInterval() {
    occupies(TABLE, 0, 300 * MIB);
    occupies(TABLE, 1, 200 * MIB);
    assertThat(next()).get().asString().startsWith("1/0");
    assertThat(next()).isEmpty();
    clock.advance(INTERVAL.minus(MOMENT));
    assertThat(next()).isEmpty();
    clock.advance(MOMENT);
    assertThat(next()).get().asString().startsWith("1/1");
  }

  @Test
  void whatStayedWholeIsNotAskedForAgainForAnHour() {
    occupies(TABLE, 0, 300 * MIB);
    assertThat(next()).isPresent();
    clock.advance(INTERVAL);
    assertThat(next()).as("asked for already").isEmpty();
    clock.advance(Duration.ofHours(1).minus(INTERVAL));
    assertThat(next()).as("an hour ago").isEmpty();
    clock.advance(INTERVAL);
    assertThat(next()).get().asString().startsWith("1/0");
  }

  @Test
  void whatCannotBeSplitOrIsBeingSplitIsPassedOver() {
    occupies(RIGID, 0, 900 * MIB);
    occupies(TABLE, 0, 300 * MIB);
    occupies(TABLE, 1, 200 * MIB);
    apply(
        new ControlRecord.SplitRequested(
            new ActorId(TABLE, 0), new Reshaping.Splitting(Optional.empty(), "asked for")));
    assertThat(next()).get().asString().startsWith("1/1");
    clock.advance(INTERVAL);
    assertThat(next()).isEmpty();
    apply(new ControlRecord.SplitGivenUp(new ActorId(TABLE, 0), "no room"));
    clock.advance(INTERVAL);
    assertThat(next()).as("this did not ask for it").get().asString().startsWith("1/0");
  }

  @Test
  void nothingIsSplitWhilePoliciesArePausedOrDecideOnRequestAlone() {
    occupies(TABLE, 0, 300 * MIB);
    apply(new ControlRecord.PlacementPaused(true));
    assertThat(next()).isEmpty();
    apply(new ControlRecord.PlacementPaused(false));
    assertThat(choice(SETTINGS.with("greedy", Optional.empty())).next(state, loads)).isEmpty();
    assertThat(next()).isPresent();
  }

  @Test
  void whatIsDroppedMeanwhileIsNotSplit() {
    occupies(TABLE, 0, 300 * MIB);
    apply(new ControlRecord.TableDropped(TABLE));
    assertThat(next()).isEmpty();
  }
}
