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
import java.util.function.Supplier;

/**
 * A read in the order of a session (RB §6.7). A sequential read has a place in the order as an
 * update has, a snapshot read a mark that the log of the controllers does not have. Once that is
 * known, the plan reads every actor at the mark. If the mark cannot be read any more, as after a
 * split, the read takes another place, unless the session has gone on.
 */
final class SessionRead<R> {
  private final ClientContext client;
  private final Supplier<TableState> table;
  private final Line session;
  private final Plan<R> plan;
  private final QueryOptions options;
  private final Deadline deadline;
  private final CompletableFuture<R> answer = new CompletableFuture<>();

  /**
   * The place of a read that was submitted.
   *
   * @param mark its mark, once it is known
   */
  record Submitted(CompletableFuture<Mark> mark, SessionEntry entry) {}

  /** The entries of a session, in the order in which they were submitted. */
  @FunctionalInterface
  interface Line {
    /**
     * Submits a read.
     *
     * @param inPlaceOf the read's former entry, if it had one
     * @throws UniserveException with {@link ErrorCode#VERSION_GONE} if the session has submitted
     *     more since the former entry
     */
    Submitted submit(Addressed.Read read, Optional<SessionEntry> inPlaceOf);
  }

  /**
   * @param session submits a read to the session
   */
  SessionRead(
      ClientContext client,
      Supplier<TableState> table,
      Line session,
      Plan<R> plan,
      ReadLevel level,
      Duration timeout) {
    this.client = client;
    this.table = table;
    this.session = session;
    this.plan = plan;
    this.options = new QueryOptions(timeout).withReadOnly(true).withRead(level);
    this.deadline = Deadline.after(clock(), timeout);
  }

  /** Submits the read; its plan runs later, on a thread of its own. */
  CompletableFuture<R> begin() {
    ReadPoints.requireMarks(client, table.get(), options.read());
    Submitted submitted = submit(Optional.empty());
    client.environment().threads().start("read of a session", () -> run(submitted));
    return answer;
  }

  private Submitted submit(Optional<SessionEntry> inPlaceOf) {
    return session.submit(new Addressed.Read(source()), inPlaceOf);
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
        }
        submitted = submit(Optional.of(submitted.entry()));
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

  /** Waits until the place is known. */
  private Mark mark(Submitted submitted) {
    Promise<Mark> place = new Promise<>(client.environment().threads());
    submitted
        .mark()
        .whenComplete(
            (mark, failure) -> {
              if (failure == null) {
                place.complete(mark);
              } else {
                place.fail(UniserveException.of(failure));
              }
            });
    return place.await(deadline, "the place of a read of a session");
  }

  private Clock clock() {
    return client.environment().clock();
  }
}
