package io.uniserve.runtime.client.run;

import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Promise;
import io.uniserve.runtime.client.StatementKey;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ReshapedException;
import io.uniserve.runtime.client.plan.OperatorPlan;
import io.uniserve.runtime.client.retrieve.RetrieveRun;
import io.uniserve.runtime.client.update.UpdateRun;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run of a plan: sub-queries in topological order, independent ones in parallel (QAS §3.2). */
public final class PlanRun {
  private final ClientContext client;
  private final Attempts.Changes changes;
  private final Optional<CoverageCount> coverage;
  private final Optional<ProfileList> profiles;
  private final boolean readOnly;
  private final Optional<StatementKey> key;

  /**
   * @param changes is notified before anything is changed
   * @param coverage counts the missing actors; empty if none may be missing
   * @param readOnly true if a plan that updates is refused
   * @param key the key of the plan's changes
   * @param profiles takes the figures of each query, if they are wanted
   */
  public PlanRun(
      ClientContext client,
      Attempts.Changes changes,
      Optional<CoverageCount> coverage,
      Optional<ProfileList> profiles,
      boolean readOnly,
      Optional<StatementKey> key) {
    this.client = client;
    this.key = key;
    this.changes = changes;
    this.readOnly = readOnly;
    this.coverage = coverage;
    this.profiles = profiles;
  }

  public <R> R run(Plan<R> plan, Deadline deadline, ReadPoints points) {
    return switch (plan) {
      case Plan.Query<?, R> query -> retrieve(query, deadline, points);
      case Plan.Nested<R> nested ->
          run(
              nested.next().apply(answers(nested.subqueries(), partOf(deadline), points)),
              deadline,
              points);
      case Plan.Known<R> known -> known.answer();
      case Plan.Computed<R> computed ->
          computed.work().apply(deadline.remaining(client.environment().clock()));
      case Plan.Update update -> update(update, deadline);
      case Plan.Redefine redefine -> redefine(redefine, deadline);
      case Plan.Measured<?, R> measured -> measured(measured, deadline, points);
      case Plan.Keep keep -> keep(keep, deadline, points);
    };
  }

  private void beginChange(String table) {
    if (readOnly) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "a read-only or partial request cannot change table '" + table + "'");
    }
    changes.begin();
  }

  /**
   * Refuses a key for a plan that makes a table, since a repeated one is recognised by the table's
   * name.
   */
  private void requireNoKey(String table) {
    if (key.isPresent()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "idempotency key: a statement that makes or drops tables, here of '"
              + table
              + "', takes none");
    }
  }

  @SuppressWarnings("unchecked") // a plan of this kind answers with a definition
  private <R> R redefine(Plan.Redefine redefine, Deadline deadline) {
    beginChange(redefine.table());
    requireNoKey(redefine.table());
    return (R) new RedefineRun(client, redefine.table(), deadline).run(redefine.change());
  }

  private <R> R keep(Plan.Keep keep, Deadline deadline, ReadPoints points) {
    beginChange(keep.table().name());
    requireNoKey(keep.table().name());
    new KeepRun(client, keep, deadline).run(points, profiles);
    return null;
  }

  @SuppressWarnings("unchecked") // a plan of this kind answers with a list
  private <R> R update(Plan.Update update, Deadline deadline) {
    beginChange(update.table());
    UpdateOptions options =
        new UpdateOptions(
            deadline.remaining(client.environment().clock()),
            UpdateOptions.Acknowledgement.ALL_COPIES,
            key.map(given -> changes.numbered(given.key())));
    UpdateReceipt receipt;
    if (update.records().isEmpty()) {
      String statement = key.map(StatementKey::statement).orElse("");
      receipt =
          UpdateRun.ofStatement(client, update.table(), update.function(), options, statement);
    } else {
      receipt =
          UpdateRun.ofRecords(client, update.table(), update.function(), update.records(), options);
    }
    changes.applied();
    return (R) receipt.answers();
  }

  private <I, R> R measured(Plan.Measured<I, R> measured, Deadline deadline, ReadPoints points) {
    ProfileList list = new ProfileList();
    I answer =
        new PlanRun(client, changes, coverage, Optional.of(list), readOnly, key)
            .run(measured.plan(), deadline, points);
    profiles.ifPresent(outer -> list.all().forEach(outer::add));
    return measured.answer().apply(answer, list.all());
  }

  private <V, R> R retrieve(Plan.Query<V, R> query, Deadline deadline, ReadPoints points) {
    if (profiles.isPresent() || !(query.source() instanceof Source.Table source)) {
      OperatorPlan.Answer<R> answer =
          new OperatorPlan(new PlanSurroundings(client, points)).run(query, deadline);
      profiles.ifPresent(list -> list.add(answer.profile()));
      answer.tables().forEach(this::countSet);
      coverage.ifPresent(count -> answer.tables().forEach(table -> count(count, table)));
      return answer.result();
    }
    while (true) {
      try {
        return retrieve(query, source, deadline, points);
      } catch (ReshapedException e) {
        deadline.check(client.environment().clock(), "query of table '" + source.name() + "'");
      }
    }
  }

  private <V, R> R retrieve(
      Plan.Query<V, R> query, Source.Table source, Deadline deadline, ReadPoints points) {
    TableState table = client.requireTable(source.name(), deadline);
    Collection<Integer> actors = table.definition().partitioner().actorsOf(source.keys());
    if (actors.isEmpty()) {
      return query.combine().begin().result();
    }
    RetrieveRun<V, R> run =
        new RetrieveRun<>(
            client,
            table,
            points.of(table),
            actors,
            query.retrieve(),
            query.combine(),
            deadline,
            coverage.isPresent());
    client.sets().count(table.id(), actors);
    R result = run.run();
    coverage.ifPresent(count -> count.add(table, actors, run.missing()));
    return result;
  }

  private void countSet(Source.Table source) {
    client
        .state()
        .table(source.name())
        .ifPresent(
            table ->
                client
                    .sets()
                    .count(table.id(), table.definition().partitioner().actorsOf(source.keys())));
  }

  /** Counts a source with many stages as answered. Such a plan is answered wholly or fails. */
  private void count(CoverageCount count, Source.Table source) {
    TableState table = client.state().requireTable(source.name());
    count.add(table, table.definition().partitioner().actorsOf(source.keys()), Map.of());
  }

  /**
   * Returns a part of the time for a sub-query, since what waits for actors that cannot answer must
   * leave time for the rest.
   */
  private Deadline partOf(Deadline deadline) {
    Clock clock = client.environment().clock();
    return coverage.isPresent()
        ? Deadline.after(clock, deadline.remaining(clock).dividedBy(2))
        : deadline;
  }

  private List<Object> answers(List<Plan<?>> plans, Deadline deadline, ReadPoints points) {
    List<Object> answers = new ArrayList<>();
    if (plans.size() == 1) {
      answers.add(run(plans.getFirst(), deadline, points));
      return answers;
    }
    Environment environment = client.environment();
    List<Promise<Object>> promises = new ArrayList<>();
    List<Thread> running = new ArrayList<>();
    for (Plan<?> plan : plans) {
      Promise<Object> promise = new Promise<>(environment.threads());
      promises.add(promise);
      running.add(
          environment.threads().start("sub-query", () -> settle(promise, plan, deadline, points)));
    }
    try {
      promises.forEach(promise -> answers.add(promise.await(deadline, "a sub-query")));
      return answers;
    } catch (UniserveException e) {
      running.forEach(Thread::interrupt); // nobody wants the other answers any more
      throw e;
    }
  }

  private void settle(Promise<Object> promise, Plan<?> plan, Deadline deadline, ReadPoints points) {
    try {
      promise.complete(run(plan, deadline, points));
    } catch (UniserveException e) {
      promise.fail(e);
    } catch (RuntimeException e) {
      promise.fail(
          new UniserveException(
              ErrorCode.INTERNAL, "a sub-query failed: " + UniserveException.reason(e), e));
    }
  }
}
