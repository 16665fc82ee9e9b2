package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.store.backup.HistoryItem.Log;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stored past of an actor is read while its primary goes on to write. */
class StoredPastTest extends OrderStoreFixture {
  private final LogEntry first = entry(at(1, 1), 10, 1, 0, 0);
  private final LogEntry second = entry(at(1, 2), 20, 2, 1, 0);
  private final LogEntry third = entry(at(1, 3), 30, 3, 2, 0);

  @Test
  void logObjectsThatWereMergedMeanwhileAreReadWhereTheyWent() {
    log(0, Position.START, first);
    Log one = more(0, at(1, 1), second);
    Log other = more(0, at(1, 2), third);
    StoredPast past = past(0);
    merge(0, one, other);
    assertThat(past.entriesAfter(Position.START)).containsExactly(first, second, third);
    assertThat(past.entriesAfter(at(1, 1))).containsExactly(second, third);
  }

  @Test
  void whatCameLaterIsNotPartOfThePast() {
    log(0, Position.START, first);
    Log one = more(0, at(1, 1), second);
    StoredPast past = past(0);
    merge(0, one, more(0, at(1, 2), third));
    assertThat(past.entriesAfter(Position.START)).containsExactly(first, second);
  }

  @Test
  void whatAnotherPrimaryChangedMeanwhileMayBeAskedForAgain() {
    log(0, Position.START, first);
    Log one = more(0, at(1, 1), second);
    StoredPast past = past(0);
    merge(0, one, more(0, at(1, 2), third));
    log(0, at(1, 1), entry(at(2, 2), 20, 2, 1, 0));
    assertThatThrownBy(() -> past.entriesAfter(Position.START))
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
              assertThat(e.retryable()).isTrue();
            });
  }

  @Test
  void whatIsLostOfTheOrderIsAnErrorIfItIsAskedFor() {
    log(0, Position.START, first);
    more(0, at(1, 2), third); // the object of the second is gone
    assertThat(past(0).placedAfter(Position.START, entry -> OrderCut.number(entry) >= 1).entries())
        .containsExactly(first);
    assertThatThrownBy(
            () -> past(0).placedAfter(Position.START, entry -> OrderCut.number(entry) >= 3))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void whatTheStoreNeverHadOfTheOrderEndsIt() throws IOException {
    log(0, Position.START, first);
    gap(0, at(1, 1), at(1, 2), 20, 2);
    more(0, at(1, 2), third);
    assertThat(past(0).placedAfter(Position.START, entry -> OrderCut.number(entry) >= 3).entries())
        .containsExactly(first);
  }

  /** Actor 1 was split after its last transaction, and has a checkpoint of that time. */
  @Test
  void theLastCommitIsFoundBehindACheckpointThatIsLater() throws IOException {
    log(1, Position.START, new LogEntry.Commit(at(1, 1), 10, "t1", 1));
    more(1, at(1, 1), new LogEntry.Commit(at(1, 2), 20, "t2", 2));
    more(1, at(1, 2), new LogEntry.Abort(at(1, 3), 30, "t3"));
    assertThat(past(1).lastCommitMillis(at(1, 1))).isEqualTo(10);
    checkpoint(
        1, new CheckpointMeta(at(1, 3), 30, 2, 0, ReceivedOrder.Stored.NONE, List.of()), List.of());
    assertThat(past(1).lastCommitMillis(at(1, 3))).isEqualTo(20);
    assertThat(past(2).lastCommitMillis(at(1, 3))).as("nothing is stored").isZero();
  }
}
