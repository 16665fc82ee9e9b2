package io.uniserve.runtime.client.session;

import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Promise;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.run.Attempts;
import io.uniserve.runtime.client.run.PlanRun;
import io.uniserve.runtime.client.run.ReadPoints;
import io.uniserve.runtime.client.update.Addressed;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A read in the order of a session (RB §6.7). It has a place in the order as an update has. Once
 * that is stable, the plan reads every actor at the mark of that place. If the mark cannot be read
 * any more, as after a split, the read takes another place, unless the session has gone on.
 */
final class SessionRead<R> {
  /** The number of a read of no actor, which needs no place. */
  static final long NOTHING = -1;

  private final ClientContext client;
  private final Supplier<TableState> table;
  private final Function<Addressed.Read, Submitted> session;
  private final Plan<R> plan;
  private final QueryOptions options;
  private final Deadline deadline;
  private final CompletableFuture<R> answer = new CompletableFuture<>();

  /**
   * The place of a read that was submitted.
   *
   * @param number the number of its place, once it is stable
   * @param newest tells whether the session has submitted nothing since
   */
  record Submitted(CompletableFuture<Long> number, BooleanSupplier newest) {}

  /**
   * @param session submits a read to the session
   */
  SessionRead(
      ClientContext client,
      Supplier<TableState> table,
      Function<Addressed.Read, Submitted> session,
      Plan<R> plan,
      Duration timeout) {
    this.client = client;
    this.table = table;
    this.session = session;
    this.plan = plan;
    this.options = new QueryOptions(timeout).withReadOnly(true).withRead(ReadLevel.SEQUENTIAL);
    this.deadline = Deadline.after(clock(), timeout);
  }

  /** Submits the read; its plan runs later, on a thread of its own. */
  CompletableFuture<R> begin() {
    ReadPoints.requireMarks(client, table.get(), ReadLevel.SEQUENTIAL);
    Submitted submitted = submit();
    client.environment().threads().start("sequential read", () -> run(submitted));
    return answer;
  }

  private Submitted submit() {
    return session.apply(new Addressed.Read(source()));
  }

  private Optional<Source.Table> source() {
    return plan instanceof Plan.Query<?, ?> query
            && query.source() instanceof Source.Table source
            && source.name().equals(table.get().definition().name())
        ? Optional.of(source)
        : Optional.empty();
  }

  private void run(Submitted first) {
    Submitted submitted = first;
    try {
      while (true) {
        try {
          answer.complete(runAt(mark(submitted)));
          return;
        } catch (UniserveException e) {
          if (e.code() != ErrorCode.VERSION_GONE || deadline.expired(clock())) {
            throw e;
          }
          if (!submitted.newest().getAsBoolean()) {
            throw e.saying(
                "the place of a sequential read can no longer be read, and the session has gone on: "
                    + e.getMessage());
          }
        }
        submitted = submit();
      }
    } catch (RuntimeException e) {
      answer.completeExceptionally(UniserveException.of(e));
    }
  }

  private R runAt(Mark mark) {
    return new PlanRun(
            client,
            new Attempts.Changes(),
            Optional.empty(),
            Optional.empty(),
            true,
            Optional.empty())
        .run(plan, deadline, ReadPoints.at(client, options, deadline, table.get().id(), mark));
  }

  /** Waits until the place is stable. A place that the controllers have forgotten is unknown. */
  private Mark mark(Submitted submitted) {
    Promise<Long> place = new Promise<>(client.environment().threads());
    submitted
        .number()
        .whenComplete(
            (number, failure) -> {
              if (failure == null) {
                place.complete(number);
              } else {
                place.fail(UniserveException.of(failure));
              }
            });
    long number = place.await(deadline, "the place of a sequential read");
    if (number == 0) {
      throw new UniserveException(
          ErrorCode.VERSION_GONE,
          "the place of a sequential read was settled before it was heard of");
    }
    return number == NOTHING ? Mark.NONE : Mark.ofPlace(number);
  }

  private Clock clock() {
    return client.environment().clock();
  }
}
