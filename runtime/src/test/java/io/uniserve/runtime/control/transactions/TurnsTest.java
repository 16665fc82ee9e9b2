package io.uniserve.runtime.control.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.wire.TransactionMessage.Vote;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions of a table wait for each other only if they have an actor in common. */
@Timeout(60)
class TurnsTest extends TransactionalFixture {
  private static final int ONE = ACTOR.number();
  private static final int TWO = OTHER.number();

  @Override
  public Partitioner partitioner() {
    return new Partitioner.Hash(2);
  }

  @Test
  void transactionsWithoutACommonActorHaveTheirTurnsAtOnce() throws Exception {
    taking("one", List.of(ONE)).assertHasItsTurn();
    taking("two", List.of(TWO)).assertHasItsTurn();
    taking("again", List.of(ONE)).assertWaits();
  }

  @Test
  void aTurnIsOfAllItsActorsOrOfNone() throws Exception {
    Client one = taking("one", List.of(ONE));
    one.assertHasItsTurn();
    Client two = taking("two", List.of(TWO));
    two.assertHasItsTurn();
    Client both = taking("both", List.of(TWO, ONE));
    one.cancel();
    both.assertWaits();
    two.cancel();
    both.assertHasItsTurn();
  }

  @Test
  void whoOverlapsWithATransactionThatWaitsIsNotPreferredToIt() throws Exception {
    Client one = taking("one", List.of(ONE));
    one.assertHasItsTurn();
    Client both = taking("both", List.of(ONE, TWO));
    Client two = taking("two", List.of(TWO));
    both.assertWaits();
    two.assertWaits();
    both.cancel();
    two.assertHasItsTurn();
  }

  @Test
  void aTransactionThatDiesWhileItWaitsHoldsNobodyUp() throws Exception {
    Client one = taking("one", List.of(ONE));
    one.assertHasItsTurn();
    Client dies = taking("dies", List.of(ONE, TWO));
    Client after = taking("after", List.of(ONE));
    dies.cancel();
    after.assertWaits();
    one.cancel();
    after.assertHasItsTurn();
  }

  @Test
  void aTurnThatRunsOutLetsAllBeginThatWaitedForIt() throws Exception {
    taking("both", List.of(ONE, TWO)).assertHasItsTurn();
    Client one = taking("one", List.of(ONE));
    Client two = taking("two", List.of(TWO));
    limits.pass(Duration.ofSeconds(3));
    assertThat(keeping("one")).isTrue();
    assertThat(keeping("two")).isTrue();
    limits.pass(Duration.ofSeconds(1));
    one.assertHasItsTurn();
    two.assertHasItsTurn();
  }

  @Test
  void nothingIsDecidedForAnActorThatTheTurnIsNotOf() throws Exception {
    Client one = taking("one", List.of(ONE));
    one.assertHasItsTurn();
    assertThat(refused(one, "one", new Vote(TWO, 1, 0))).isEqualTo(ErrorCode.ABORTED);
  }

  @Test
  void aDecisionEndsTheTurnOfItsTransactionAlone() throws Exception {
    Client one = taking("one", List.of(ONE));
    one.assertHasItsTurn();
    Client two = taking("two", List.of(TWO));
    two.assertHasItsTurn();
    Client both = taking("both", List.of(ONE, TWO));
    assertThat(committed(two, "two", new Vote(TWO, 1, 0)).version()).isEqualTo(1);
    both.assertWaits();
    assertThat(committed(one, "one", new Vote(ONE, 1, 0)).version()).isEqualTo(2);
    both.assertHasItsTurn();
  }

  @Test
  void aDecisionIsNotBeforeTheLastUpdateOfAnyParticipant() throws Exception {
    long later = clock.now().toEpochMilli() + 60_000;
    Client both = taking("both", List.of(ONE, TWO));
    both.assertHasItsTurn();
    assertThat(committed(both, "both", new Vote(ONE, 1, later)).timeMillis()).isEqualTo(later);
  }

  @Test
  void aTransactionOfNoActorIsRefused() {
    assertThatThrownBy(() -> taking("none", List.of()))
        .cause()
        .isInstanceOfSatisfying(
            UniserveException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }
}
