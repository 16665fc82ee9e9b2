package io.uniserve.runtime.store.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.store.backup.History.Piece;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.store.backup.HistoryItem.EpochStart;
import io.uniserve.runtime.store.backup.HistoryItem.Gap;
import io.uniserve.runtime.store.backup.HistoryItem.Log;
import io.uniserve.runtime.wire.entry.Position;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static Position at(long epoch, long sequence) {
    return new Position(epoch, sequence);
  }

  private static EpochStart epoch(long writer, Position after) {
    return new EpochStart(writer, after, true, 0);
  }

  /** Returns a log of one epoch, written by its primary; its time is its sequence number. */
  private static Log log(long epoch, long after, long last) {
    return new Log(epoch, at(epoch, after), at(epoch, last), last);
  }

  private static Checkpoint checkpoint(long epoch, long sequence) {
    return new Checkpoint(epoch, at(epoch, sequence), sequence);
  }

  private static History of(HistoryItem... items) {
    return new History(List.of(items));
  }

  private static List<Long> ends(History history, Position from) {
    return history.logAfter(from).orElseThrow().stream().map(Piece::to).toList();
  }

  private static List<Long> ends(History history, Position from, long millis) {
    return history.logUntil(from, millis, true).orElseThrow().stream().map(Piece::to).toList();
  }

  @Test
  void namesSayEverything() {
    for (HistoryItem item :
        List.of(
            epoch(3, at(2, 40)),
            new EpochStart(4, at(2, 1), false, 99),
            checkpoint(2, 7),
            new Gap(3, at(2, 7), at(3, 9)),
            log(1, 3, 9))) {
      assertThat(HistoryItem.parse(item.name())).contains(item);
    }
    assertThat(HistoryItem.parse("reign-1")).isEmpty();
    assertThat(HistoryItem.parse("log-1-2-3-4")).isEmpty();
    assertThat(HistoryItem.parse("other")).isEmpty();
  }

  @Test
  void aEpochThatGoesOnFromNothingHasNoBaseBeforeItsCheckpoint() {
    EpochStart restored = new EpochStart(1, at(0, 20), false, 0);

    assertThat(of().hasBase()).isFalse();
    assertThat(of(epoch(1, Position.START)).hasBase()).isTrue();
    assertThat(of(restored, log(1, 20, 25)).hasBase()).isFalse();
    assertThat(of(restored, log(1, 20, 25), checkpoint(1, 22)).hasBase()).isTrue();
  }

  @Test
  void aEpochWithoutABaseDoesNotTakeThePlaceOfWhatWasBeforeIt() {
    List<HistoryItem> before = List.of(epoch(1, Position.START), log(1, 0, 5), checkpoint(1, 5));
    List<HistoryItem> items = new ArrayList<>(before);
    items.add(new EpochStart(2, at(1, 9), false, 0));
    items.add(epoch(3, at(2, 11)));
    items.add(log(3, 11, 12));

    History unbased = new History(items);
    assertThat(unbased.hasBase()).isFalse();
    assertThat(unbased.based().end()).isEqualTo(at(1, 5));
    assertThat(new Expiry(unbased, Long.MAX_VALUE, Long.MAX_VALUE).expired())
        .doesNotContainAnyElementsOf(before);

    items.add(checkpoint(3, 12));
    assertThat(new History(items).based().end()).isEqualTo(at(3, 12));
    assertThat(of(new EpochStart(1, at(0, 20), false, 0)).based().newestEpoch()).isEqualTo(1);
  }

  /** A primary of a synchronous table stores what it has before it leads. */
  @Test
  void aLogWithoutTheCheckpointThatItBeganWithShowsThatThatIsLost() {
    List<HistoryItem> items =
        new ArrayList<>(
            List.of(epoch(1, Position.START), log(1, 0, 5), new EpochStart(2, at(1, 9), false, 0)));
    assertThat(new History(items).based(true).end()).as("it never led").isEqualTo(at(1, 5));
    items.add(new Log(2, at(1, 9), at(2, 11), 11));
    assertThatThrownBy(() -> new History(items).based(true))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
        .hasMessageContaining("has lost the checkpoint with which epoch 2 began");
    assertThat(new History(items).based(false).end()).isEqualTo(at(1, 5));
  }

  @Test
  void nothingIsNoHistory() {
    assertThat(of().isEmpty()).isTrue();
    assertThat(of(log(1, 0, 5)).isEmpty()).as("nobody has begun it").isTrue();
    assertThat(of().end()).isEqualTo(Position.START);
  }

  @Test
  void whatAEpochLoggedAndDidNotStoreIsAheadThoughAnotherHasBegun() {
    History history =
        of(epoch(1, Position.START), log(1, 0, 100), epoch(2, at(1, 100)), epoch(3, at(1, 100)));
    assertThat(history.isAllHeldAt(at(2, 101))).isTrue();
    assertThat(history.isAllHeldAt(at(2, 99))).isFalse();
    assertThat(history.isAllHeldAt(at(4, 101))).isFalse();
  }

  @Test
  void aLineFromTheBeginning() {
    History history = of(epoch(1, Position.START), log(1, 0, 2), log(1, 2, 5), checkpoint(1, 3));
    assertThat(history.beginsEmpty()).isTrue();
    assertThat(history.end()).isEqualTo(at(1, 5));
    assertThat(ends(history, Position.START)).containsExactly(2L, 5L);
    assertThat(ends(history, at(1, 3))).containsExactly(5L);
    assertThat(ends(history, at(1, 5))).isEmpty();
    assertThat(history.contains(Position.START)).isTrue();
    assertThat(history.contains(at(1, 4))).isTrue();
    assertThat(history.contains(at(1, 6))).isFalse();
    assertThat(history.isAllHeldAt(at(1, 6))).isTrue();
    assertThat(history.isAllHeldAt(at(1, 4))).isFalse();
  }

  @Test
  void whatADeposedPrimaryStillWroteIsVoid() {
    History history =
        of(
            epoch(1, Position.START),
            log(1, 0, 100),
            epoch(2, at(1, 100)),
            log(1, 100, 103),
            checkpoint(1, 103),
            new Log(2, at(1, 100), at(2, 102), 102));
    assertThat(history.end()).isEqualTo(at(2, 102));
    assertThat(history.contains(at(1, 103))).isFalse();
    assertThat(history.contains(at(1, 101))).isFalse();
    assertThat(history.contains(at(2, 101))).isTrue();
    assertThat(history.checkpoints()).isEmpty();
    assertThat(history.isAllHeldAt(at(1, 103))).isFalse();
  }

  @Test
  void anObjectOfADeposedPrimaryCountsUpToWhereTheNextWentOn() {
    History history =
        of(
            epoch(1, Position.START),
            log(1, 0, 100),
            epoch(2, at(1, 60)),
            new Log(2, at(1, 60), at(2, 61), 61));
    assertThat(ends(history, at(1, 50))).containsExactly(60L, 61L);
    assertThat(history.contains(at(1, 61))).isFalse();
  }

  @Test
  void aPrimaryWhoNeverWroteAnythingLeavesTheLineAsItWas() {
    History history =
        of(
            epoch(1, Position.START),
            log(1, 0, 10),
            epoch(2, at(1, 8)),
            epoch(3, at(1, 5)),
            new Log(3, at(1, 5), at(3, 6), 6));
    assertThat(ends(history, Position.START)).containsExactly(5L, 6L);
  }

  @Test
  void theLastAttemptToBeginAEpochCounts() {
    History history =
        of(epoch(1, Position.START), log(1, 0, 10), epoch(2, at(1, 8)), epoch(2, at(1, 9)));
    assertThat(history.end()).isEqualTo(at(1, 9));
  }

  @Test
  void aGapIsNoticed() {
    History history = of(epoch(1, Position.START), log(1, 0, 3), log(1, 4, 9), checkpoint(1, 5));
    assertThat(history.logAfter(Position.START)).isEmpty();
    assertThat(ends(history, at(1, 5))).containsExactly(9L);
  }

  @Test
  void aLogObjectThatIsLostIsNoGap() {
    History whole =
        of(epoch(1, Position.START), log(1, 0, 3), log(1, 3, 6), log(1, 6, 9), checkpoint(1, 9));
    History lost = of(epoch(1, Position.START), log(1, 0, 3), log(1, 6, 9), checkpoint(1, 9));
    assertThat(whole.logUntil(Position.START, 5, true)).isPresent();
    assertThat(lost.logUntil(Position.START, 5, true)).isEmpty();
    History end = of(epoch(1, Position.START), log(1, 0, 3), log(1, 3, 6), checkpoint(1, 9));
    assertThat(end.logUntil(Position.START, 7, true)).as("a lost end").isEmpty();
  }

  @Test
  void aGapWhoseCheckpointIsLostIsNotTakenForWhatWasNeverAcknowledged() {
    HistoryItem[] whole = {
      epoch(1, Position.START),
      log(1, 0, 6),
      new Gap(1, at(1, 6), at(1, 8)), // its checkpoint failed
      new Gap(1, at(1, 6), at(1, 9)),
      checkpoint(1, 9),
      log(1, 9, 12),
      checkpoint(1, 12)
    };
    assertThat(ends(of(whole), Position.START, 7)).containsExactly(6L);
    List<HistoryItem> lost = new ArrayList<>(List.of(whole));
    lost.remove(checkpoint(1, 9));
    assertThat(new History(lost).logUntil(Position.START, 10, true)).isEmpty();
    assertThat(new History(lost).reachAfter(Position.START).lost()).isTrue();
    assertThat(of(whole).reachAfter(Position.START).lost()).isFalse();
    assertThat(new History(lost).logToGap(Position.START)).as("of a recovery").isPresent();
  }

  @Test
  void aGapOfADeposedPrimaryDoesNotCount() {
    History history =
        of(
            epoch(1, Position.START),
            log(1, 0, 6),
            new Gap(1, at(1, 6), at(1, 9)),
            epoch(2, at(1, 6)),
            new Log(2, at(2, 8), at(2, 9), 9),
            new Checkpoint(2, at(2, 9), 9));
    assertThat(history.logUntil(Position.START, 7, true)).isEmpty();
  }

  @Test
  void namesSayWhetherACopyHasEverythingThoughRecordsAreLost() {
    History history = of(log(1, 0, 8), log(2, 5, 7), checkpoint(2, 6));
    assertThat(history.namesNothingAfter(at(2, 7))).isTrue();
    assertThat(history.namesNothingAfter(at(3, 7))).isTrue();
    assertThat(history.namesNothingAfter(at(2, 6))).as("an update is missing").isFalse();
    assertThat(history.namesNothingAfter(at(1, 8))).as("a later epoch went on").isFalse();
  }

  @Test
  void updatesOfOneEpochFollowEachOtherThoughRecordsAreLost() {
    History history = of(log(1, 0, 8), log(2, 5, 7), log(2, 7, 9), log(3, 9, 12));
    History line = history.inEpochOf(at(2, 6));
    assertThat(ends(line, at(2, 6))).containsExactly(7L, 9L);
    assertThat(line.end()).isEqualTo(at(2, 9));
    assertThat(of(log(2, 7, 9)).inEpochOf(at(2, 6)).logAfter(at(2, 6))).as("a gap").isEmpty();
  }

  @Test
  void nothingIsTakenFromALineThatLostARecord() {
    EpochStart anew = new EpochStart(4, at(3, 9), false, 100);
    History history =
        of(
            epoch(1, Position.START),
            log(1, 0, 5),
            log(2, 3, 6),
            log(3, 6, 9),
            epoch(3, at(2, 6)),
            anew);
    assertThat(history.lostEpochs()).as("the newest line is whole").isEmpty();
    assertThat(history.at(50)).isEmpty();
    assertThat(history.based().hasBase()).isFalse();
    assertThatThrownBy(() -> history.around(at(1, 3)))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("[2]");
    assertThat(history.at(100)).contains(history);
  }

  @Test
  void ofTwoRecordsOfOneEpochFromOnePositionTheOneThatContinuesNothingCounts() {
    EpochStart anew = new EpochStart(2, at(1, 3), false, 9);
    for (List<HistoryItem> both :
        List.<List<HistoryItem>>of(
            List.of(epoch(2, at(1, 3)), anew), List.of(anew, epoch(2, at(1, 3))))) {
      List<HistoryItem> items = new ArrayList<>(both);
      items.add(log(2, 3, 6));
      assertThat(new History(items).hasBase()).isFalse();
      assertThat(new History(items).lostEpochs()).isEmpty();
    }
  }

  @Test
  void whoWroteWithoutAEpochIsKnown() {
    History whole =
        of(
            epoch(1, Position.START),
            log(1, 0, 3),
            epoch(2, at(1, 3)),
            log(2, 3, 6),
            epoch(3, at(2, 6)));
    assertThat(whole.lostEpochs()).isEmpty();
    assertThat(of(epoch(1, Position.START), log(1, 0, 3), log(2, 3, 6)).lostEpochs())
        .containsExactly(2L);
    assertThat(of(checkpoint(1, 3)).lostEpochs()).containsExactly(1L);
    assertThat(of(log(1, 0, 3), epoch(2, at(1, 3)), log(2, 3, 6)).lostEpochs())
        .as("what nobody needs may be deleted later than its epoch")
        .isEmpty();
  }

  @Test
  void aGapMattersOnlyToMomentsAfterIt() {
    History history =
        of(
            epoch(1, Position.START),
            log(1, 0, 3),
            log(1, 3, 6),
            new Gap(1, at(1, 6), at(1, 8)),
            log(1, 8, 9),
            checkpoint(1, 8));
    assertThat(history.logUntil(Position.START, 5, false).orElseThrow().stream().map(Piece::to))
        .containsExactly(3L, 6L);
    assertThat(history.logUntil(Position.START, 6, false)).isEmpty();
    assertThat(history.logUntil(Position.START, 6, true)).isPresent();
    assertThat(history.logUntil(Position.START, 8, true)).as("that is in it").isEmpty();
    assertThat(history.logAfter(Position.START, 6)).isPresent();
    assertThat(history.logAfter(Position.START, 7)).isEmpty();
  }

  @Test
  void whatACheckpointByTheMomentHadMayHaveBeenAcknowledged() {
    History history =
        of(
            epoch(1, Position.START),
            log(1, 0, 6),
            new Gap(1, at(1, 6), at(1, 8)),
            checkpoint(1, 8),
            log(1, 8, 9),
            new Gap(1, at(1, 9), at(1, 11)),
            checkpoint(1, 11));
    assertThat(ends(history, Position.START, 7)).containsExactly(6L);
    assertThat(ends(history, at(1, 8), 9)).containsExactly(9L);
    assertThat(history.logUntil(Position.START, 9, true)).isEmpty();
  }

  /** A gap is noted before its checkpoint, which may not have been stored, or may be lost. */
  @Test
  void momentsInAGapAtTheEndCannotBeTold() {
    History history =
        of(
            epoch(1, Position.START),
            log(1, 0, 3),
            log(1, 3, 6),
            epoch(2, at(1, 6)),
            new Gap(2, at(1, 6), at(2, 8)));
    assertThat(history.logUntil(Position.START, 5, false)).as("before it").isPresent();
    assertThat(history.logUntil(Position.START, 6, false)).isEmpty();
    assertThat(history.logUntil(at(1, 6), 7, false)).as("from its beginning on").isEmpty();
    assertThat(history.logUntil(Position.START, 6, true))
        .as("updates that were not acknowledged")
        .isPresent();
    assertThat(history.logUntil(Position.START, Long.MAX_VALUE, false))
        .as("whatever there is")
        .isPresent();
    assertThat(history.logToGap(Position.START)).as("of a recovery").isPresent();
  }

  /** The store took an object, and its answer was lost: the gap was noted from before it. */
  @Test
  void aGapMayHaveObjectsAtItsBeginning() {
    List<HistoryItem> items =
        List.of(
            epoch(1, Position.START),
            log(1, 0, 6),
            new Gap(1, at(1, 6), at(1, 9)),
            log(1, 6, 7),
            log(1, 9, 10),
            checkpoint(1, 9));
    History history = of(items.toArray(HistoryItem[]::new));
    assertThat(history.logUntil(Position.START, 8, true).orElseThrow().stream().map(Piece::to))
        .containsExactly(6L, 7L);
    assertThat(history.logUntil(Position.START, 8, false)).isEmpty();
  }

  @Test
  void objectsMayOverlap() {
    History history =
        of(epoch(1, Position.START), log(1, 0, 3), log(1, 0, 6), log(1, 3, 4), log(1, 4, 7));
    assertThat(ends(history, Position.START)).containsExactly(6L, 7L);
  }

  @Test
  void aEpochThatWentOnAloneHidesWhatWasBeforeExceptForTimesBeforeIt() {
    History history =
        of(
            epoch(1, Position.START),
            log(1, 0, 10),
            new EpochStart(3, at(2, 9), false, 50),
            new Checkpoint(3, at(2, 9), 40));
    assertThat(history.end()).isEqualTo(at(2, 9));
    assertThat(history.contains(at(1, 5))).isFalse();
    assertThat(history.at(60).orElseThrow().end()).isEqualTo(at(2, 9));
    assertThat(history.at(10).orElseThrow().end()).isEqualTo(at(1, 10));
    assertThat(history.at(49)).as("more may have happened by then").isEmpty();
    assertThat(history.around(at(1, 5)).end()).isEqualTo(at(1, 10));
    assertThat(history.around(at(2, 9)).end()).isEqualTo(at(2, 9));
  }

  @Test
  void theNewestCheckpointByAMoment() {
    History history = of(epoch(1, Position.START), checkpoint(1, 5), checkpoint(1, 9));
    assertThat(history.checkpointBy(8)).contains(checkpoint(1, 5));
    assertThat(history.checkpointBy(9)).contains(checkpoint(1, 9));
    assertThat(history.checkpointBy(4)).isEmpty();
  }

  @Test
  void whatNoRestoreNeedsExpires() {
    History history =
        of(
            epoch(1, Position.START),
            log(1, 0, 10),
            checkpoint(1, 10),
            epoch(2, at(1, 10)),
            new Log(2, at(1, 10), at(2, 20), 20),
            new Checkpoint(2, at(2, 20), 20),
            log(2, 20, 30));
    assertThat(new Expiry(history, 15, 1000).expired())
        .as("the checkpoint that is left belongs to the epoch")
        .containsExactly(log(1, 0, 10));
    assertThat(new Expiry(history, 9, 1000).expired()).isEmpty();
    assertThat(new Expiry(history, 900, 1000).expired())
        .containsExactlyInAnyOrder(
            log(1, 0, 10),
            epoch(1, Position.START),
            checkpoint(1, 10),
            new Log(2, at(1, 10), at(2, 20), 20));
    assertThat(new Expiry(of(), 900, 1000).expired()).isEmpty();
  }

  @Test
  void aCheckpointThatTheLogDoesNotLeadToIsNotThinnedOut() {
    History history =
        of(
            epoch(1, Position.START),
            log(1, 0, 3),
            checkpoint(1, 2),
            checkpoint(1, 5),
            log(1, 5, 9),
            checkpoint(1, 6),
            checkpoint(1, 7),
            checkpoint(1, 9));
    assertThat(new Expiry(history, 0, 1000).expired())
        .containsExactlyInAnyOrder(checkpoint(1, 2), checkpoint(1, 6));
  }
}
