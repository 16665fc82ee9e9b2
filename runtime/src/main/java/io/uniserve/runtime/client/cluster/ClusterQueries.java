package io.uniserve.runtime.client.cluster;

import io.uniserve.api.Engine;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.SortedScanPlan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.Queries;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.SortedScan;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.plan.Explained;
import io.uniserve.runtime.client.plan.PlanText;
import io.uniserve.runtime.client.run.Attempts;
import io.uniserve.runtime.client.run.CoverageCount;
import io.uniserve.runtime.client.run.PlanRun;
import io.uniserve.runtime.client.run.ProfileList;
import io.uniserve.runtime.client.scan.ScanRun;
import io.uniserve.runtime.client.scan.SortedRun;
import java.util.Optional;

/** Queries that are sent to the servers of a cluster. */
record ClusterQueries(ClientContext context) implements Queries {
  @Override
  public <R> R query(Plan<R> plan, QueryOptions options) {
    return new Attempts(context, options)
        .run(
            (deadline, points, changes) ->
                new PlanRun(
                        context,
                        changes,
                        Optional.empty(),
                        Optional.empty(),
                        options.readOnly(),
                        options.key())
                    .run(points.of(plan), deadline, points));
  }

  @Override
  public <R> PartialAnswer<R> queryPartially(Plan<R> plan, QueryOptions options) {
    return new Attempts(context, options)
        .run(
            (deadline, points, changes) -> {
              CoverageCount coverage = new CoverageCount();
              R result =
                  new PlanRun(
                          context,
                          changes,
                          Optional.of(coverage),
                          Optional.empty(),
                          true,
                          Optional.empty())
                      .run(points.of(plan), deadline, points);
              return new PartialAnswer<>(result, coverage.coverage());
            });
  }

  @Override
  public String explain(Plan<?> plan) {
    return PlanText.of(plan, context.state());
  }

  @Override
  public <R> Explained<R> queryExplained(Plan<R> plan, QueryOptions options) {
    return new Attempts(context, options)
        .run(
            (deadline, points, changes) -> {
              ProfileList profiles = new ProfileList();
              R result =
                  new PlanRun(
                          context,
                          changes,
                          Optional.empty(),
                          Optional.of(profiles),
                          options.readOnly(),
                          options.key())
                      .run(points.of(plan), deadline, points);
              return new Explained<>(result, profiles.all());
            });
  }

  @Override
  public Scan scan(ScanPlan plan, ScanOptions options) {
    return new ScanRun(context, plan, options);
  }

  @Override
  public <T> SortedScan<T> scanSorted(SortedScanPlan<T> plan, ScanOptions options) {
    return new SortedRun<>(context, plan, options);
  }

  @Override
  public Planner planner(TableDefinition table) {
    Engine<?> engine = context.engines().engine(table.engine());
    return engine
        .planner()
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.UNSUPPORTED,
                    "engine '" + engine.name() + "' has no query language of its own"));
  }

  @Override
  public Token token() {
    return context.seen().token().of(context.state().tables().keySet());
  }

  @Override
  public void requireRead(String table) {
    // this client guards nothing
  }
}
