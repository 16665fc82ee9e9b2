package io.uniserve.simulation.figure;

import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.simulation.figure.result.FigureSettings;
import io.uniserve.simulation.queueing.Arrivals;
import io.uniserve.simulation.queueing.Outcome;
import io.uniserve.simulation.queueing.QueueRun;
import io.uniserve.simulation.queueing.Routing;
import io.uniserve.simulation.queueing.Snapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/** A comparison of policies with the same fills and the same queries. */
record Comparison(FigureSettings settings, List<Contender> contenders) {

  /**
   * Runs all trials of one point.
   *
   * @param x its place in the figure
   * @param scenarios the scenarios of each trial, by its seed
   */
  List<Trial> run(double x, LongFunction<Scenario> scenarios) {
    List<Trial> trials = new ArrayList<>();
    for (int trial = 0; trial < settings.trials(); trial++) {
      Prepared prepared = Prepared.of(scenarios.apply(trial), settings.queries(), trial);
      for (Contender contender : contenders) {
        trials.add(prepared.trial(x, trial, contender));
      }
      settings
          .progress()
          .accept(
              String.format(
                  Locale.ROOT, "at %.4g: trial %d of %d", x, trial + 1, settings.trials()));
    }
    return trials;
  }

  /** The common part of all policies of a trial. */
  record Prepared(Scenario scenario, int[] serverOf, ClusterLoad snapshot, Arrivals arrivals) {

    static Prepared of(Scenario scenario, int queries, long seed) {
      int[] serverOf =
          Snapshots.randomFill(scenario.farm().servers(), scenario.farm().shards(), seed);
      return new Prepared(
          scenario,
          serverOf,
          Snapshots.of(scenario.farm(), scenario.mix(), serverOf, scenario.unknown()),
          Arrivals.draw(scenario.mix(), scenario.rate(), queries, seed));
    }

    Routing place(Contender contender, long seed) {
      return Routing.of(contender.withSeed().apply(seed).place(snapshot), scenario.farm().shards());
    }

    Outcome run(Routing routing) {
      return QueueRun.of(scenario.farm(), scenario.mix(), arrivals, routing);
    }

    private Trial trial(double x, int number, Contender contender) {
      Routing routing = place(contender, number);
      Outcome outcome = run(routing);
      return new Trial(
          x,
          contender.name(),
          number,
          outcome.latencyMillis(50),
          outcome.latencyMillis(99),
          outcome.queueSizes().percentile(99),
          Parallelism.clustering(scenario.mix(), routing, scenario.farm().servers()),
          Parallelism.moves(routing, serverOf));
    }
  }
}
