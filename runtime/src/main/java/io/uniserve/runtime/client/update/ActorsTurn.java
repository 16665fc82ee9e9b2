package io.uniserve.runtime.client.update;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.wire.ControlMessage.NotLeader;
import io.uniserve.runtime.wire.ControlMessage.Refused;
import io.uniserve.runtime.wire.TransactionMessage.KeepTurn;
import io.uniserve.runtime.wire.TransactionMessage.TakeTurn;
import io.uniserve.runtime.wire.TransactionMessage.TurnKept;
import io.uniserve.runtime.wire.TransactionMessage.TurnTaken;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One transaction's turn to update some actors of a table. It ends with the decision or when it is
 * closed. It may end before, which the coordinator says when it is asked for the decision: a turn
 * gives order, not safety.
 *
 * <p>Until it is closed, the controller where it waits is told now and then that the turn is still
 * wanted. If that controller does not know of it, or does not answer, the turn is not waited for
 * there any more.
 */
final class ActorsTurn implements AutoCloseable {
  private static final Duration KEEP_INTERVAL = Duration.ofSeconds(1);

  private final ClientContext client;
  private final TableState table;
  private final List<Integer> actors;
  private final String transaction;
  private final Promise<Boolean> taken;
  private final Address controller;
  private Call call = () -> {};
  private volatile boolean closed;
  private volatile Clock.Timer keeping = () -> {};

  ActorsTurn(ClientContext client, TableState table, List<ActorId> actors, String transaction) {
    this.client = client;
    this.table = table;
    this.actors = actors.stream().map(ActorId::number).toList();
    this.transaction = transaction;
    this.taken = new Promise<>(client.environment().threads());
    this.controller = client.controllers().deciding();
  }

  /** Waits until the turn has come. */
  void await(Deadline deadline) {
    call =
        client
            .environment()
            .transport()
            .call(
                controller, new TakeTurn(table.id(), transaction, actors), deadline, new Coming());
    keepLater();
    taken.await(
        deadline,
        "the turn to update actors " + actors + " of table '" + table.definition().name() + "'");
  }

  @Override
  public void close() {
    closed = true;
    keeping.cancel();
    call.cancel();
  }

  private void keepLater() {
    keeping = client.environment().clock().schedule(KEEP_INTERVAL, this::keep);
    if (closed) {
      keeping.cancel();
    }
  }

  private void keep() {
    if (!closed) {
      client
          .environment()
          .transport()
          .call(
              controller,
              new KeepTurn(table.id(), transaction),
              Deadline.after(client.environment().clock(), KEEP_INTERVAL),
              new Keeping());
    }
  }

  /**
   * Fails the wait, since the turn does not come there any more. If it has come already, the
   * decision will tell.
   */
  private void lost(Optional<Address> decides, String why) {
    client.controllers().redirected(controller, new NotLeader(decides));
    taken.fail(new UniserveException(ErrorCode.UNAVAILABLE, why));
  }

  private void lost(UniserveException failure) {
    client.controllers().redirected(controller, new NotLeader(Optional.empty()));
    taken.fail(failure);
  }

  private void answered(Message reply) {
    switch (reply) {
      case TurnTaken turn -> taken.complete(true);
      case TurnKept kept -> {
        if (!kept.known()) {
          taken.fail(
              new UniserveException(ErrorCode.UNAVAILABLE, "the turn is not waited for any more"));
        }
      }
      case Refused refused -> taken.fail(new UniserveException(refused.code(), refused.message()));
      case NotLeader other -> lost(other.leader(), "another controller decides");
      default ->
          taken.fail(new UniserveException(ErrorCode.INTERNAL, "an unexpected answer: " + reply));
    }
  }

  private final class Coming implements ReplyObserver {
    @Override
    public void replied(Message reply) {
      answered(reply);
    }

    @Override
    public void completed() {
      taken.fail(new UniserveException(ErrorCode.UNAVAILABLE, "the turn ended before it came"));
    }

    @Override
    public void failed(UniserveException failure) {
      lost(failure);
    }
  }

  private final class Keeping implements ReplyObserver {
    private boolean known;

    @Override
    public void replied(Message reply) {
      known = reply instanceof TurnKept kept && kept.known();
      answered(reply);
    }

    @Override
    public void completed() {
      if (known) {
        keepLater();
      }
    }

    @Override
    public void failed(UniserveException failure) {
      lost(new UniserveException(ErrorCode.UNAVAILABLE, failure.getMessage(), failure));
      keepLater();
    }
  }
}
