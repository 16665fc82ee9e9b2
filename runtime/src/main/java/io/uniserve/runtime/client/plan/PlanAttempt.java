package io.uniserve.runtime.client.plan;

import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Promise;
import io.uniserve.runtime.client.plan.StageGraph.GatherStage;
import io.uniserve.runtime.client.plan.StageGraph.MapStage;
import io.uniserve.runtime.client.plan.StageGraph.ScatterStage;
import io.uniserve.runtime.client.plan.StageGraph.Stage;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.KeptOutput;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.plan.Work;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One run of one plan. Stages that depend on each other run one after another, the others in
 * parallel. The output of a stage is released once all its readers have ended.
 */
final class PlanAttempt implements AutoCloseable {
  private final PlanCluster cluster;
  private final Deadline deadline;
  private final List<Stage> stages;
  private final Optional<KeptSource> kept;
  private final RunRecord record;
  private final ClusterState planned;
  private final RunHolds holds;
  private final StageWork work;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<StageRun> active = new ArrayList<>();
  private final List<Promise<Product>> products = new ArrayList<>();
  private final int[] readers;
  private UniserveException aborted;

  /**
   * @param kept the part of the plan that is kept, if any is
   */
  PlanAttempt(
      PlanCluster cluster,
      List<Stage> stages,
      Optional<KeptSource> kept,
      RunRecord record,
      Deadline deadline) {
    this.kept = kept;
    this.cluster = cluster;
    this.record = record;
    // Both sides of a gather derive the division of attributes from the same state.
    this.planned = cluster.state();
    this.deadline = deadline;
    this.stages = stages;
    this.holds = new RunHolds(cluster, cluster.newName(), deadline);
    this.work = new StageWork(cluster);
    this.readers = new int[stages.size()];
    for (Stage stage : stages) {
      products.add(new Promise<>(cluster.environment().threads()));
      stage.inputs().forEach(input -> readers[input]++);
    }
  }

  /** Runs the query, and returns the answer. */
  <V, R> R run(Plan.Query<V, R> query) {
    makeAll();
    return retrieve(query);
  }

  /** Stores the actors of a new table, and returns its origin. */
  TableOrigin keep(KeptSource source) {
    source.requireSpread(planned);
    makeAll();
    return store(source);
  }

  private void makeAll() {
    if (chain()) {
      stages.forEach(stage -> products.get(stage.number()).complete(make(stage)));
    } else {
      makeInParallel();
    }
  }

  /** Returns whether each stage reads the one before, so that none can run beside another. */
  private boolean chain() {
    return stages.stream()
        .allMatch(
            stage ->
                stage.number() == 0
                    ? stage.inputs().isEmpty()
                    : stage.inputs().equals(List.of(stage.number() - 1)));
  }

  private void makeInParallel() {
    for (Stage stage : stages) {
      cluster.environment().threads().start("stage " + stage.number(), () -> settle(stage));
    }
    // All of them are awaited even if one fails, so that nothing goes on behind the caller's back.
    Deadline longest = Deadline.after(cluster.environment().clock(), Deadline.LONGEST);
    for (Promise<Product> product : products) {
      try {
        product.await(longest, "a stage");
      } catch (UniserveException e) {
        abort(e);
      }
    }
    lock.lock();
    try {
      if (aborted != null) {
        throw aborted;
      }
    } finally {
      lock.unlock();
    }
  }

  private void settle(Stage stage) {
    Promise<Product> promise = products.get(stage.number());
    try {
      promise.complete(make(stage));
    } catch (UniserveException e) {
      abort(e);
      promise.fail(e);
    } catch (RuntimeException e) {
      UniserveException failure =
          new UniserveException(
              ErrorCode.INTERNAL, "a stage failed: " + UniserveException.reason(e), e);
      abort(failure);
      promise.fail(failure);
    }
  }

  private void abort(UniserveException reason) {
    List<StageRun> running;
    lock.lock();
    try {
      if (aborted != null) {
        return;
      }
      aborted = reason;
      running = List.copyOf(active);
    } finally {
      lock.unlock();
    }
    running.forEach(stage -> stage.abort(reason));
  }

  private Product make(Stage stage) {
    stage.inputs().forEach(this::product);
    Product product =
        switch (stage) {
          case MapStage map -> map(map);
          case ScatterStage scatter -> scatter(scatter);
          case GatherStage gather -> gather(gather);
        };
    stage.inputs().forEach(this::readOnce);
    return product;
  }

  private Product product(int stage) {
    return products.get(stage).await(deadline, "stage " + stage);
  }

  private void readOnce(int input) {
    boolean last;
    lock.lock();
    try {
      last = --readers[input] == 0;
    } finally {
      lock.unlock();
    }
    if (last) {
      holds.release(input);
    }
  }

  private Product map(MapStage stage) {
    StageInput input = input(stage.source().input(), stage.input());
    String engine = work.engineOf(stage.source().operator(), List.of(input.engine()));
    DatasetCollector made = new DatasetCollector(stage.number());
    run(
        stage.number(),
        work.mapping(engine, stage.source().operator()),
        input.tasks(),
        PlanText.map(stage, input.what()),
        Optional.of(stage.source().operator()),
        made);
    return made.mapped(engine);
  }

  private Product scatter(ScatterStage stage) {
    StageInput input = input(stage.source().input(), stage.input());
    String engine = work.engineOf(stage.source().operator(), List.of(input.engine()));
    GatherShape shape = GatherShape.of(stage.gather(), planned, kept);
    PileCollector made = new PileCollector(stage.number());
    if (!shape.nowhere()) {
      run(
          stage.number(),
          work.scattering(engine, stage.source().operator(), shape),
          input.tasks(),
          PlanText.scatter(stage, input.what()),
          Optional.of(stage.source().operator()),
          made);
    }
    return made.chunks(engine);
  }

  private Product gather(GatherStage stage) {
    List<Product.Chunks> inputs =
        stage.inputs().stream().map(input -> (Product.Chunks) product(input)).toList();
    GatherShape shape = GatherShape.of(stage.source(), planned, kept);
    List<String> engines = new ArrayList<>(shape.engine().stream().toList());
    inputs.forEach(input -> engines.add(input.engine()));
    String engine = work.engineOf(stage.source().operator(), engines);
    GatherParts parts = GatherParts.of(inputs);
    DatasetCollector made = new DatasetCollector(stage.number());
    run(
        stage.number(),
        work.gathering(engine, stage.source().operator(), parts),
        parts.tasks(shape, cluster),
        PlanText.gather(stage),
        Optional.of(stage.source().operator()),
        made);
    return made.gathered(engine);
  }

  private <V, R> R retrieve(Plan.Query<V, R> query) {
    StageInput input =
        input(query.source(), stages.isEmpty() ? Optional.empty() : Optional.of(stages.size() - 1));
    String engine = work.engineOf(query.retrieve(), List.of(input.engine()));
    Operator.Combiner<V, R> combiner = query.combine().begin();
    run(
        stages.size(),
        work.retrieving(engine, query.retrieve()),
        input.tasks(),
        PlanText.retrieve(query, input.what()),
        Optional.of(query.retrieve()),
        (task, server, done) -> combine(combiner, task));
    return combiner.result();
  }

  private TableOrigin store(KeptSource source) {
    Plan.Keep keep = source.keep();
    StageInput input = input(keep.source(), Optional.of(stages.size() - 1));
    source.requireEngine(input.engine());
    KeptSource.Stored stored = source.storing(output());
    run(
        stages.size(),
        new Work.Keeping(keep.table(), stored.output()),
        input.tasks(),
        PlanText.keep(keep, input.what()),
        Optional.empty(),
        (task, server, done) -> stored.add(task));
    return stored.origin();
  }

  /**
   * Returns the name of the output. It is kept for as long as this plan may make a table of it,
   * whatever the clocks say.
   */
  private KeptOutput output() {
    Clock clock = cluster.environment().clock();
    Instant expires =
        clock.now().plus(deadline.remaining(clock)).plus(KeptOutput.CLOCK_DIFFERENCE_MAX);
    return new KeptOutput(planned.cluster(), expires.toEpochMilli(), holds.run());
  }

  @SuppressWarnings("unchecked")
  private <V, R> void combine(Operator.Combiner<V, R> combiner, StageTask task) {
    task.forEachValue(
        (dataset, value) -> combiner.add(dataset, (V) value.value(cluster.engines())));
    task.drop();
  }

  private StageInput input(Source source, Optional<Integer> stage) {
    return stage.isPresent()
        ? StageInput.of((Product.Datasets) product(stage.get()), stage.get())
        : StageInput.of((Source.Table) source, planned, cluster);
  }

  private void run(
      int number,
      Work what,
      List<StageTask> tasks,
      String description,
      Optional<Operator> operator,
      StageRun.Finisher finisher) {
    RunRecord.Noting noting = record.begin(number, description, operator, finisher);
    if (tasks.isEmpty()) {
      noting.end();
      return;
    }
    StageRun run = new StageRun(cluster, holds, number, what, tasks, deadline, description, noting);
    lock.lock();
    try {
      if (aborted != null) {
        throw aborted;
      }
      active.add(run);
    } finally {
      lock.unlock();
    }
    run.run();
    noting.end();
  }

  /** Frees all data of the run on all servers. */
  @Override
  public void close() {
    holds.close();
  }
}
