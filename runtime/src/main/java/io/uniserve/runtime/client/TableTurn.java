package io.uniserve.runtime.client;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.wire.ControlMessage.NotLeader;
import io.uniserve.runtime.wire.ControlMessage.Refused;
import io.uniserve.runtime.wire.TransactionMessage.TakeTurn;
import io.uniserve.runtime.wire.TransactionMessage.TurnTaken;
import io.uniserve.runtime.wire.cluster.Routers;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.Optional;

/**
 * One transaction's turn to update a table. It ends with the decision or when it is closed, and it
 * may end before, which the coordinator tells when it is asked for the decision: a turn is for
 * order, not for safety.
 */
final class TableTurn implements AutoCloseable {
  private final ClientContext client;
  private final TableState table;
  private final String transaction;
  private Call call = () -> {};

  TableTurn(ClientContext client, TableState table, String transaction) {
    this.client = client;
    this.table = table;
    this.transaction = transaction;
  }

  /** Waits until the turn has come. */
  void await(Deadline deadline) {
    Promise<Boolean> taken = new Promise<>(client.environment().threads());
    Address router = client.routers().deciding();
    call =
        client
            .environment()
            .transport()
            .call(
                router,
                new TakeTurn(table.id(), transaction),
                deadline,
                new Coming(client.routers(), router, taken));
    taken.await(deadline, "the turn to update table '" + table.definition().name() + "'");
  }

  @Override
  public void close() {
    call.cancel();
  }

  private record Coming(Routers routers, Address router, Promise<Boolean> taken)
      implements ReplyObserver {
    @Override
    public void replied(Message reply) {
      switch (reply) {
        case TurnTaken turn -> taken.complete(true);
        case Refused refused ->
            taken.fail(new UniserveException(refused.code(), refused.message()));
        case NotLeader other -> {
          routers.redirected(router, other);
          taken.fail(new UniserveException(ErrorCode.UNAVAILABLE, "another router decides"));
        }
        default ->
            taken.fail(new UniserveException(ErrorCode.INTERNAL, "an unexpected answer: " + reply));
      }
    }

    @Override
    public void completed() {
      taken.fail(new UniserveException(ErrorCode.UNAVAILABLE, "the turn ended before it came"));
    }

    @Override
    public void failed(UniserveException failure) {
      routers.redirected(router, new NotLeader(Optional.empty()));
      taken.fail(failure);
    }
  }
}
