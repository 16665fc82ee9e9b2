package io.uniserve.runtime.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Partitioner;
import io.uniserve.runtime.server.OrderCut.Line;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.OrderPlace;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OrderCutTest {
  private static final long EVER = Long.MAX_VALUE;

  private static LogEntry entry(
      long sequence, long millis, long number, long previous, Integer... actors) {
    return new LogEntry.Passed(
        new Position(1, sequence),
        millis,
        new OrderPlace(number, previous, List.of(actors)),
        "k" + number,
        Optional.empty());
  }

  private static Line empty(LogEntry... log) {
    return new Line(0, Position.START, ReceivedOrder.Stored.NONE, List.of(log));
  }

  private static List<Long> sequences(OrderCut cut) {
    return cut.cuts().stream().map(Cut::last).map(Position::sequence).toList();
  }

  @Test
  void whatIsLaterThanTheMomentIsLeftOutWithAllThatComesAfter() {
    List<Line> lines =
        List.of(
            empty(entry(1, 10, 1, 0, 0, 1), entry(2, 30, 3, 1, 0)),
            empty(entry(1, 10, 1, 0, 0, 1), entry(2, 20, 2, 1, 1), entry(3, 40, 4, 2, 1)));
    assertThat(sequences(new OrderCut(lines, 20, EVER))).containsExactly(1L, 2L);
    assertThat(sequences(new OrderCut(lines, 39, EVER))).containsExactly(2L, 2L);
    assertThat(sequences(new OrderCut(lines, EVER, EVER))).containsExactly(2L, 3L);
    assertThat(sequences(new OrderCut(lines, EVER, 2))).containsExactly(1L, 1L);
  }

  @Test
  void whatNotAllItsActorsHaveIsLeftOutWithAllThatComesAfter() {
    List<Line> lines =
        List.of(
            empty(entry(1, 10, 1, 0, 0), entry(2, 20, 2, 1, 0, 1), entry(3, 30, 3, 2, 0)), empty());
    OrderCut cut = new OrderCut(lines, EVER, EVER);
    assertThat(cut.end()).isEqualTo(2);
    assertThat(sequences(cut)).containsExactly(1L, 0L);
  }

  @Test
  void whatAnActorHasLostForGoodIsNoReason() {
    List<Line> lines =
        List.of(
            empty(entry(1, 10, 1, 0, 0, 1), entry(2, 20, 2, 1, 0)), empty(entry(1, 30, 3, 1, 1)));
    assertThat(sequences(new OrderCut(lines, EVER, EVER))).containsExactly(2L, 1L);
  }

  @Test
  void aCheckpointTellsWhatItSharesWithActorsThatLackIt() {
    Line checkpoint =
        new Line(
            0,
            new Position(1, 7),
            new ReceivedOrder.Stored(5, Map.of(0, 5L, 1, 4L), Map.of()),
            List.of());
    OrderCut cut = new OrderCut(List.of(checkpoint, empty(entry(1, 10, 3, 0, 1))), EVER, EVER);
    assertThat(cut.end()).as("an older checkpoint is needed").isEqualTo(4);
  }

  @Test
  void aSplitThatTheTableIsNotToHaveIsLeftOutWithAllThatComesAfter() {
    LogEntry retain = new LogEntry.Retain(new Position(2, 2), 20, new Partitioner.Hash(1), 1);
    LogEntry[] log = {entry(1, 10, 1, 0, 0), retain, entry(3, 30, 3, 1, 0)};
    Line whole = new Line(0, Position.START, ReceivedOrder.Stored.NONE, List.of(log));
    Line part = new Line(1, Position.START, ReceivedOrder.Stored.NONE, List.of(log));
    assertThat(sequences(new OrderCut(List.of(whole), 25, EVER))).containsExactly(1L);
    assertThat(sequences(new OrderCut(List.of(part), 25, EVER))).containsExactly(2L);
    assertThat(sequences(new OrderCut(List.of(part), EVER, EVER))).containsExactly(3L);
  }

  @Test
  void whatAnActorGotThatTheTableIsNotToHaveIsLeftOut() {
    List<Line> lines = List.of(empty(entry(1, 10, 1, 0, 0), entry(2, 20, 2, 1, 0, 1)));
    assertThat(sequences(new OrderCut(lines, EVER, EVER))).containsExactly(1L);
  }

  @Test
  void whatTheOriginOfTheTableHadIsCutByTime() {
    List<Line> lines = List.of(empty(entry(1, 10, 0, 0, 0), entry(2, 30, 0, 0, 0)));
    assertThat(sequences(new OrderCut(lines, 20, EVER))).containsExactly(1L);
  }
}
