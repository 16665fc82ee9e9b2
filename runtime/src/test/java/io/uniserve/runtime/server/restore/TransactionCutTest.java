package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.runtime.server.restore.TransactionCut.Bridge;
import io.uniserve.runtime.server.restore.TransactionCut.Line;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The place where logs of two actors are cut: entries are {@code p1} for Prepare, {@code c1} for
 * Commit, {@code u1} for an update of this actor alone.
 */
class TransactionCutTest {
  private static final long NEVER = Long.MAX_VALUE;

  private static Line line(long decided, String... entries) {
    return line(decided, 0, entries);
  }

  /** The n-th transaction is called so, and gives version n at n milliseconds. */
  private static Line line(long decided, int after, String... entries) {
    List<LogEntry> log =
        IntStream.range(0, entries.length)
            .mapToObj(i -> entry(entries[i], new Position(1, after + i + 1)))
            .toList();
    Commitment last =
        decided == 0 ? Commitment.NONE : new Commitment(String.valueOf(decided), decided, decided);
    return new Line(0, new Position(1, after), 0, Set.of(), log, Optional.empty(), last);
  }

  /**
   * Returns a line whose rest is in a checkpoint.
   *
   * @param of the transactions that the checkpoint is known to have
   */
  private static Line bridged(long keptSince, List<Integer> of, String... entries) {
    Line line = line(9, entries);
    Set<Hash> keys =
        of.stream().map(n -> UpdateKey.of("key " + n).name()).collect(Collectors.toSet());
    Bridge bridge = new Bridge(keys, keptSince);
    return new Line(
        0, line.base(), line.version(), Set.of(), line.log(), Optional.of(bridge), line.decided());
  }

  /** Nothing is known of the store's gap but that the last decision about its actor is later. */
  @Test
  void aGapWithoutAnyTransactionOfOthersLeavesNothingOut() {
    Line whole = line(3, "p2", "c2", "p3", "c3");
    TransactionCut cut = asOf(4, whole, bridged(0, List.of(1, 9), "p1", "c1"));
    assertThat(cut.cuts()).containsExactly(cut(4, false), cut(2, false));
    assertThat(cut.leavesOut()).isFalse();
  }

  @Test
  void aTransactionThatAnActorHasOnlyInALaterCheckpointIsLeftOut() {
    Line whole = line(3, "p2", "c2", "p3", "c3");
    TransactionCut cut = asOf(4, whole, bridged(0, List.of(1, 3, 9), "p1", "c1"));
    assertThat(cut.cuts()).containsExactly(cut(2, false), cut(2, false));
    assertThat(cut.leavesOut()).as("it was not acknowledged").isFalse();
  }

  @Test
  void whatCameBehindItMayHaveBeenAcknowledged() {
    for (String[] behind : List.of(new String[] {"p4", "c4"}, new String[] {"u4"})) {
      List<String> log = new ArrayList<>(List.of("p3", "c3"));
      log.addAll(List.of(behind));
      TransactionCut cut =
          asOf(4, line(4, log.toArray(String[]::new)), bridged(0, List.of(1, 3), "p1", "c1"));
      assertThat(cut.cuts()).containsExactly(cut(0, false), cut(2, false));
      assertThat(cut.leavesOut()).isTrue();
      assertThat(cut.isBridged()).as("the store will never have it").isTrue();
    }
  }

  @Test
  void nobodyKnowsWhatACheckpointHasOfATransactionWhoseKeyItMayHaveForgotten() {
    TransactionCut cut = asOf(4, line(3, "p3", "c3"), bridged(4, List.of(1), "p1", "c1"));
    assertThat(cut.leavesOut()).isTrue();
    assertThat(cut.isBridged()).isTrue();
  }

  @Test
  void aCheckpointWithATransactionThatAnotherActorHasOnlyLaterIsNoBeginning() {
    Line bridged = bridged(0, List.of(3), "p1", "c1");
    Line beyond = beginning(5, 3);
    assertThat(asOf(6, bridged, beyond).end()).as("an older one is needed").isEqualTo(5);
    Line unrelated = beginning(5, 4);
    assertThat(asOf(6, bridged, unrelated).end()).isEqualTo(NEVER);
  }

  /** Returns a line that begins with a version, and with a transaction before it. */
  private static Line beginning(long version, int transaction) {
    Set<Hash> keys = Set.of(UpdateKey.of("key " + transaction).name());
    return new Line(
        0, new Position(1, 9), version, keys, List.of(), Optional.empty(), Commitment.NONE);
  }

  @Test
  void whatWasPreparedBeforeAGapMayHaveBeenDecidedByThen() {
    Line line = bridged(0, List.of(1, 2), "p1", "c1", "p2");
    assertThat(asOf(4, line).leavesOut()).isTrue();
    assertThat(asOf(4, line).isBridged()).isTrue();
    assertThat(asOf(4, line(2, "p2", "c2"), line).cuts())
        .as("the other actor knows the outcome")
        .containsExactly(cut(2, false), cut(3, true));
    assertThat(asOf(4, bridged(0, List.of(1), "p1", "c1", "p2")).leavesOut())
        .as("it did not happen")
        .isFalse();
  }

  private static LogEntry entry(String text, Position at) {
    String transaction = text.substring(1);
    long number = Long.parseLong(transaction);
    UpdateKey key = UpdateKey.of("key " + number);
    return switch (text.charAt(0)) {
      case 'p' ->
          LogEntry.Prepare.of(
              at,
              number,
              transaction,
              List.of(new LogEntry.Member(key, null, null, Optional.empty())));
      case 'u' -> new LogEntry.Update(at, number, key, null, null, Optional.empty());
      default -> new LogEntry.Commit(at, number, transaction, number);
    };
  }

  private static List<Cut> cuts(Line... lines) {
    return new TransactionCut(List.of(lines), NEVER, NEVER).cuts();
  }

  private static Cut cut(long sequence, boolean commits) {
    return new Cut(new Position(1, sequence), commits);
  }

  @Test
  void whatAllHaveIsKept() {
    assertThat(cuts(line(2, "p1", "c1", "p2", "c2"), line(2, "p1", "c1", "p2", "c2")))
        .containsExactly(cut(4, false), cut(4, false));
  }

  @Test
  void whatWasPreparedAndIsKnownToBeDecidedIsCommitted() {
    assertThat(cuts(line(2, "p1", "c1", "p2"), line(2, "p1", "c1", "p2")))
        .containsExactly(cut(3, true), cut(3, true));
    assertThat(cuts(line(1, "p1", "c1", "p2"), line(1, "p1", "c1", "p2")))
        .as("of the second nothing is known")
        .containsExactly(cut(2, false), cut(2, false));
  }

  @Test
  void nothingIsKeptOfWhatOneActorIsKnownToHaveCommittedAndLacks() {
    assertThat(cuts(line(3, "p1", "c1", "p2", "c2", "p3", "c3"), line(3, "p1", "c1")))
        .as("the second lacks a transaction of 2 or 3, and nobody knows which")
        .containsExactly(cut(2, false), cut(2, false));
    assertThat(cuts(line(3, "p1", "c1", "p3"), line(2)))
        .containsExactly(cut(0, false), cut(0, false));
  }

  @Test
  void updatesOfOneActorAreKeptUpToTheMomentAndTheFirstTransactionThatIsNot() {
    List<Line> lines =
        List.of(line(7, "p2", "c2", "u3", "p7", "c7"), line(7, "u1", "u5", "p7", "c7", "u8"));
    assertThat(new TransactionCut(lines, 4, NEVER).cuts())
        .containsExactly(cut(3, false), cut(1, false));
    assertThat(new TransactionCut(lines, 6, NEVER).cuts())
        .containsExactly(cut(3, false), cut(2, false));
    assertThat(new TransactionCut(lines, NEVER, 7).cuts())
        .containsExactly(cut(3, false), cut(2, false));
    assertThat(new TransactionCut(lines, NEVER, NEVER).cuts())
        .containsExactly(cut(5, false), cut(5, false));
  }

  @Test
  void anActorThatLacksNothingIsNoMeasure() {
    assertThat(cuts(line(3, "p1", "c1", "p3", "c3"), line(2, "p2", "c2")))
        .containsExactly(cut(4, false), cut(2, false));
  }

  @Test
  void aCutSaysFromWhereItLeavesOut() {
    TransactionCut cut =
        new TransactionCut(List.of(line(3, "p3", "c3"), line(2, "p1", "c1")), NEVER, NEVER);
    assertThat(cut.end()).isEqualTo(2);
  }

  private static TransactionCut asOf(long millis, Line... lines) {
    return new TransactionCut(List.of(lines), millis, NEVER);
  }

  /** The store has no part of the second transaction on the second actor yet. */
  @Test
  void aTransactionOfWhichTheStoreHasOnePartIsLeftOut() {
    Line whole = line(2, "p1", "c1", "p2", "c2");
    Line behind = line(2, "p1", "c1");
    assertThat(asOf(2, whole, behind).cuts()).containsExactly(cut(2, false), cut(2, false));
    assertThat(asOf(2, whole, behind).leavesOut()).as("as of its moment").isTrue();
    assertThat(asOf(1, whole, behind).leavesOut()).as("as of an earlier moment").isFalse();
    assertThat(asOf(2, whole, whole).leavesOut()).isFalse();
  }

  @Test
  void whatWasPreparedAndIsCommittedElsewhereIsKeptWhateverWasDecidedSince() {
    Line whole = line(2, "p1", "c1", "p2", "c2");
    Line prepared = line(3, "p1", "c1", "p2");
    assertThat(asOf(2, whole, prepared).cuts()).containsExactly(cut(4, false), cut(3, true));
    assertThat(asOf(2, whole, prepared).leavesOut()).isFalse();
  }

  @Test
  void whatWasDecidedAfterTheMomentIsLeftOut() {
    assertThat(asOf(1, line(2, "p1", "c1", "p2"), line(2, "p1", "c1", "p2", "c2")).cuts())
        .containsExactly(cut(2, false), cut(2, false));
  }

  /** A log is read to its first entry after the moment, whatever was decided since. */
  @Test
  void aLogThatReachesBeyondTheMomentLacksNothingOfIt() {
    TransactionCut cut =
        asOf(3, line(9, "p1", "c1", "p2", "c2", "p4", "c4"), line(9, "p1", "c1", "p5"));
    assertThat(cut.cuts()).containsExactly(cut(4, false), cut(2, false));
    assertThat(cut.leavesOut()).isFalse();
  }
}
