package io.uniserve.runtime.control.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.control.reshape.ReshapeFixture;
import io.uniserve.runtime.still.StillCaller;
import io.uniserve.runtime.still.StillTimers;
import io.uniserve.runtime.wire.TransactionMessage.Decide;
import io.uniserve.runtime.wire.TransactionMessage.Decided;
import io.uniserve.runtime.wire.TransactionMessage.KeepTurn;
import io.uniserve.runtime.wire.TransactionMessage.TakeTurn;
import io.uniserve.runtime.wire.TransactionMessage.TurnKept;
import io.uniserve.runtime.wire.TransactionMessage.TurnTaken;
import io.uniserve.runtime.wire.TransactionMessage.Vote;
import io.uniserve.runtime.wire.cluster.Commitment;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** The same two actors, in a table of transactions, which take turns with splits and merges. */
public abstract class TransactionalFixture extends ReshapeFixture {
  public static final long TABLE = ACTOR.table();

  public final StillTimers limits = new StillTimers(clock);
  private Transactions transactions;

  @Override
  public final Clock turnClock() {
    return limits;
  }

  @BeforeEach
  final void takeTransactions() {
    transactions = new Transactions(decisions, clock, transactionTurns);
  }

  @Override
  public final Consistency level() {
    return Consistency.SERIALIZABLE;
  }

  /** The answers to one client. */
  public final class Client extends StillCaller {
    Client() {
      super(clock);
    }

    public void assertHasItsTurn() throws InterruptedException {
      assertThat(next()).isEqualTo(new TurnTaken());
    }

    public void assertWaits() {
      decide(() -> true);
      assertThat(hearsNothing()).isTrue();
    }
  }

  /** Takes a turn of all actors. */
  public final Client taking(String transaction) {
    return taking(
        transaction,
        decide(() -> List.copyOf(decisions.state().tables().get(TABLE).living().keySet())));
  }

  /** Takes a turn of some actors. */
  public final Client taking(String transaction, List<Integer> actors) {
    Client client = new Client();
    decide(
        () -> {
          transactions.handle(new TakeTurn(TABLE, transaction, actors), client);
          return true;
        });
    return client;
  }

  /** Tells that a client still wants a turn; returns whether that is known. */
  public final boolean keeping(String transaction) throws InterruptedException {
    Client client = new Client();
    decide(
        () -> {
          transactions.handle(new KeepTurn(TABLE, transaction), client);
          return true;
        });
    return ((TurnKept) client.next()).known();
  }

  /** Asks for a decision, with the vote of one actor. */
  public final Commitment committed(Client client, String transaction, Vote vote)
      throws InterruptedException {
    decide(
        () -> {
          transactions.handle(new Decide(TABLE, transaction, List.of(vote)), client);
          return true;
        });
    return ((Decided) client.next()).commitment();
  }

  /** Asks for a decision that is refused; returns the code. */
  public final ErrorCode refused(Client client, String transaction, Vote vote) {
    return decide(
        () -> {
          try {
            transactions.handle(new Decide(TABLE, transaction, List.of(vote)), client);
            return null;
          } catch (UniserveException e) {
            return e.code();
          }
        });
  }
}
