package io.uniserve.runtime.client.session;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.client.OrderedOutcome;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.update.OrderedReads;
import io.uniserve.runtime.wire.OrderedMessage.ShortTaken;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The calls for what is at the head of a session's line. None of them waits for its answer. */
final class LineCalls {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(3);

  private final ClientContext client;
  private final OutcomeRecall recall;

  LineCalls(ClientContext client, OutcomeRecall recall) {
    this.client = client;
    this.recall = recall;
  }

  /** Sends updates the short way, to the primary of their actor. */
  void send(
      SessionLine.Next.Short next, Consumer<ShortTaken> taken, Consumer<UniserveException> failed) {
    Optional<ServerState> primary =
        client
            .state()
            .actor(next.request().actor())
            .map(ActorState::primary)
            .map(client.state().servers()::get)
            .filter(ServerState::alive);
    if (primary.isEmpty()) {
      failed.accept(
          new UniserveException(
              ErrorCode.UNAVAILABLE, "actor " + next.request().actor() + " has no primary now"));
      return;
    }
    client.calls().begin(primary.get(), next.request(), deadline(), new OneAnswer(taken, failed));
  }

  /** Asks for a mark of actors, on a thread of its own. */
  void ask(
      TableState table,
      SessionLine.Next.ReadMark next,
      Consumer<Mark> given,
      Consumer<UniserveException> failed) {
    client
        .environment()
        .threads()
        .start(
            "mark of a session",
            () -> {
              Mark mark;
              try {
                mark = new OrderedReads(client, table, deadline()).stamp(next.actors());
              } catch (UniserveException e) {
                failed.accept(e);
                return;
              }
              given.accept(mark);
            });
  }

  /** Asks the actors of an update whether they have applied it, on a thread of its own. */
  void ask(
      TableState table,
      SessionLine.Next.Outcome next,
      Consumer<Optional<OrderedOutcome>> told,
      Consumer<UniserveException> failed) {
    client
        .environment()
        .threads()
        .start(
            "outcome of a session",
            () -> {
              Optional<OrderedOutcome> outcome;
              try {
                outcome = recall.ask(table, next.recalled());
              } catch (UniserveException e) {
                failed.accept(e);
                return;
              }
              told.accept(outcome);
            });
  }

  private Deadline deadline() {
    return Deadline.after(client.environment().clock(), ANSWER_TIMEOUT);
  }

  /** The one answer of a primary. */
  private static final class OneAnswer implements ReplyObserver {
    private final Consumer<ShortTaken> taken;
    private final Consumer<UniserveException> failed;
    private final AtomicBoolean over = new AtomicBoolean();

    OneAnswer(Consumer<ShortTaken> taken, Consumer<UniserveException> failed) {
      this.taken = taken;
      this.failed = failed;
    }

    @Override
    public void replied(Message reply) {
      if (over.compareAndSet(false, true)) {
        taken.accept((ShortTaken) reply);
      }
    }

    @Override
    public void completed() {
      failed(new UniserveException(ErrorCode.UNAVAILABLE, "a primary has not answered"));
    }

    @Override
    public void failed(UniserveException failure) {
      if (over.compareAndSet(false, true)) {
        failed.accept(failure);
      }
    }
  }
}
