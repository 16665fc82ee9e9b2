package io.uniserve.node.demo;

import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.OrderedOutcome;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.UniserveClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A session that sends changes in SQL, many in a request. After a failure another session begins.
 * Safe for use by many threads.
 */
final class TicketSession implements AutoCloseable {
  private final UniserveClient client;
  private final TableDefinition table;
  private final Planner planner;
  private OrderedSession session;

  TicketSession(UniserveClient client, TableDefinition table) {
    this.client = client;
    this.table = table;
    this.planner = client.planner(table);
  }

  /**
   * Makes a change, and returns once all actors have it.
   *
   * @throws UniserveException if it was refused, or nobody knows whether it was made
   */
  void change(String sql, Duration patience) {
    // The plan of a change is the update, followed by what counts the records.
    Plan.Nested<?> plan = (Plan.Nested<?>) planner.plan(table, sql, Map.of());
    Plan.Update update = (Plan.Update) plan.subqueries().getFirst();
    OrderedOutcome outcome = await(submit(update), patience);
    outcome.refusals().values().stream()
        .findFirst()
        .ifPresent(
            refusal -> {
              throw new UniserveException(refusal.code(), refusal.message());
            });
  }

  private OrderedReceipt submit(Plan.Update update) {
    return update.records().isEmpty()
        ? session().submitAll(update.function())
        : submit(session(), update.function(), update.records());
  }

  @SuppressWarnings("unchecked") // the planner has put together what belongs together
  private static <R extends PartitionedRecord> OrderedReceipt submit(
      OrderedSession session, UpdateFunction<?, ?> function, List<? extends R> records) {
    return session.submit((UpdateFunction<?, R>) function, records);
  }

  private synchronized OrderedSession session() {
    if (session == null || session.failed()) {
      close();
      session = client.session(table.name());
    }
    return session;
  }

  private static OrderedOutcome await(OrderedReceipt receipt, Duration patience) {
    try {
      return receipt.applied().get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw UniserveException.of(e.getCause());
    } catch (TimeoutException e) {
      throw new UniserveException(
          ErrorCode.DEADLINE_EXCEEDED, "no outcome after " + patience.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UniserveException.of(e);
    }
  }

  @Override
  public synchronized void close() {
    if (session != null) {
      session.close();
    }
  }
}
