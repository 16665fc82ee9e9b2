package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.restore.OrderCut.Line;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OrderCutTest {
  private static final long EVER = Long.MAX_VALUE;

  private static LogEntry entry(
      long sequence, long millis, long number, long previous, Integer... actors) {
    return new LogEntry.Passed(
        new Position(1, sequence),
        millis,
        new OrderPlace(number, previous, List.of(actors)),
        UpdateKey.of("k" + number),
        Optional.empty());
  }

  private static Line empty(LogEntry... log) {
    return new Line(0, Position.START, ReceivedOrder.Stored.NONE, List.of(log), 0, true);
  }

  /** Returns the cut of a table whose actors are all there. */
  private static OrderCut cut(List<Line> lines, long millis, long end) {
    return cut(lines, millis, end, List.of());
  }

  private static OrderCut cut(List<Line> lines, long millis, long end, List<Long> placed) {
    SortedMap<Integer, Line> byNumber = new TreeMap<>();
    lines.forEach(line -> byNumber.put(byNumber.size(), line));
    return new OrderCut(
        new Partitioner.Hash(lines.size()), byNumber, millis, end, placed, List.of());
  }

  private static List<Long> sequences(OrderCut cut) {
    return cut.cuts().stream().map(Cut::last).map(Position::sequence).toList();
  }

  private static LogEntry mark(long sequence, long millis, long number) {
    return new LogEntry.Marked(
        new Position(1, sequence), millis, new Mark(number, 1, 1), Optional.empty());
  }

  private static LogEntry onTheShortWay(long sequence, long millis) {
    return new LogEntry.Declined(
        new Position(1, sequence),
        millis,
        UpdateKey.of("short"),
        new Refusal(ErrorCode.INVALID_ARGUMENT, "no"));
  }

  @Test
  void whatTookTheShortWayAfterANumberThatIsLeftOutIsLeftOutToo() {
    List<Line> lines =
        List.of(
            empty(entry(1, 10, 1, 0, 0), onTheShortWay(2, 15), mark(3, 30, 2), mark(4, 31, 3)),
            empty(entry(1, 20, 2, 0, 1)),
            empty(mark(1, 25, 2), onTheShortWay(2, 26)));
    assertThat(sequences(cut(lines, EVER, EVER))).containsExactly(4L, 1L, 2L);
    assertThat(sequences(cut(lines, EVER, 2))).containsExactly(4L, 0L, 1L);
    assertThat(sequences(cut(lines, 14, EVER))).containsExactly(1L, 0L, 1L);
  }

  @Test
  void whatIsLaterThanTheMomentIsLeftOutWithAllThatComesAfter() {
    List<Line> lines =
        List.of(
            empty(entry(1, 10, 1, 0, 0, 1), entry(2, 30, 3, 1, 0)),
            empty(entry(1, 10, 1, 0, 0, 1), entry(2, 20, 2, 1, 1), entry(3, 40, 4, 2, 1)));
    assertThat(sequences(cut(lines, 20, EVER))).containsExactly(1L, 2L);
    assertThat(sequences(cut(lines, 39, EVER))).containsExactly(2L, 2L);
    assertThat(sequences(cut(lines, EVER, EVER))).containsExactly(2L, 3L);
    assertThat(sequences(cut(lines, EVER, 2))).containsExactly(1L, 1L);
  }

  @Test
  void whatNotAllItsActorsHaveIsLeftOutWithAllThatComesAfter() {
    List<Line> lines =
        List.of(
            empty(entry(1, 10, 1, 0, 0), entry(2, 20, 2, 1, 0, 1), entry(3, 30, 3, 2, 0)), empty());
    OrderCut cut = cut(lines, EVER, EVER);
    assertThat(cut.end()).isEqualTo(2);
    assertThat(sequences(cut)).containsExactly(1L, 0L);
  }

  @Test
  void whatAnActorHasLostForGoodIsNoReason() {
    List<Line> lines =
        List.of(
            empty(entry(1, 10, 1, 0, 0, 1), entry(2, 20, 2, 1, 0)), empty(entry(1, 30, 3, 1, 1)));
    assertThat(sequences(cut(lines, EVER, EVER))).containsExactly(2L, 1L);
  }

  /** Update 2 went to the second actor alone, so no other log tells of it. */
  @Test
  void whatIsKnownToHaveGoneToAnActorThatLacksItIsLeftOutWithAllThatComesAfter() {
    List<Line> lines =
        List.of(
            empty(entry(1, 10, 1, 0, 0, 1), entry(2, 30, 3, 1, 0)),
            empty(entry(1, 10, 1, 0, 0, 1)));
    assertThat(sequences(cut(lines, EVER, EVER, List.of(3L, 1L)))).containsExactly(2L, 1L);
    assertThat(sequences(cut(lines, EVER, EVER, List.of(3L, 2L)))).containsExactly(1L, 1L);
    assertThat(sequences(cut(lines, EVER, EVER, List.of(4L, 1L))))
        .as("the first actor lacks what comes after all others")
        .containsExactly(2L, 1L);
    assertThat(sequences(cut(lines, EVER, EVER, List.of(3L, 1L, 5L))))
        .as("an actor that the table is not to have")
        .containsExactly(2L, 1L);
  }

  @Test
  void aCheckpointTellsWhatItSharesWithActorsThatLackIt() {
    Line checkpoint =
        new Line(
            0,
            new Position(1, 7),
            new ReceivedOrder.Stored(5, Map.of(0, 5L, 1, 4L), Map.of()),
            List.of(),
            0,
            true);
    OrderCut cut = cut(List.of(checkpoint, empty(entry(1, 10, 3, 0, 1))), EVER, EVER);
    assertThat(cut.end()).as("an older checkpoint is needed").isEqualTo(4);
  }

  @Test
  void aSplitThatTheTableIsNotToHaveIsLeftOutWithAllThatComesAfter() {
    LogEntry retain = new LogEntry.Retain(new Position(2, 2), 20, new Partitioner.Hash(1), 1);
    LogEntry[] log = {entry(1, 10, 1, 0, 0), retain, entry(3, 30, 3, 1, 0)};
    Line whole = new Line(0, Position.START, ReceivedOrder.Stored.NONE, List.of(log), 0, true);
    Line part = new Line(1, Position.START, ReceivedOrder.Stored.NONE, List.of(log), 0, true);
    assertThat(sequences(cut(List.of(whole), 25, EVER))).containsExactly(1L);
    assertThat(sequences(cut(List.of(part), 25, EVER))).containsExactly(2L);
    assertThat(sequences(cut(List.of(part), EVER, EVER))).containsExactly(3L);
  }

  @Test
  void whatAnActorGotThatTheTableIsNotToHaveIsLeftOut() {
    List<Line> lines = List.of(empty(entry(1, 10, 1, 0, 0), entry(2, 20, 2, 1, 0, 1)));
    assertThat(sequences(cut(lines, EVER, EVER))).containsExactly(1L);
  }

  /** Actors 0 and 1 became 4, and that and 2 became 5. */
  private static final Partitioner MERGED =
      new Partitioner.Range(
              List.of(PartitionKey.of("g"), PartitionKey.of("p"), PartitionKey.of("t")))
          .merge(0, 1, 5)
          .merge(4, 2, 6);

  /** Returns the cut if actor 5 has received updates up to a number, and actor 3 further ones. */
  private static OrderCut merged(long got, LogEntry... log) {
    Line whole =
        new Line(
            1,
            new Position(9, 7),
            new ReceivedOrder.Stored(got, Map.of(0, got, 1, 2L), Map.of()),
            List.of(),
            0,
            true);
    return new OrderCut(
        MERGED, new TreeMap<>(Map.of(3, empty(log), 5, whole)), EVER, EVER, List.of(), List.of());
  }

  @Test
  void whatWentToActorsThatWereMergedTheOneThatTheyBecameHasGot() {
    OrderCut cut = merged(4, entry(1, 10, 3, 0, 1, 3), entry(2, 20, 4, 3, 2, 3, 4));
    assertThat(cut.end()).isEqualTo(EVER);
    assertThat(sequences(cut))
        .as("nothing of those that ended")
        .containsExactly(0L, 0L, 0L, 2L, 0L, 7L);
  }

  @Test
  void whatTheyHadNotGotIsLeftOutWithAllThatComesAfter() {
    OrderCut cut = merged(4, entry(1, 10, 3, 0, 1, 3), entry(2, 20, 5, 3, 0, 3));
    assertThat(cut.end()).isEqualTo(5);
    assertThat(sequences(cut)).containsExactly(0L, 0L, 0L, 1L, 0L, 7L);
  }

  @Test
  void whatTheOriginOfTheTableHadIsCutByTime() {
    List<Line> lines = List.of(empty(entry(1, 10, 0, 0, 0), entry(2, 30, 0, 0, 0)));
    assertThat(sequences(cut(lines, 20, EVER))).containsExactly(1L);
  }
}
