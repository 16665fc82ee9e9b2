package io.uniserve.simulation.figure;

import io.uniserve.simulation.queueing.Farm;
import io.uniserve.simulation.queueing.QueryMix;
import java.util.TreeSet;

/**
 * The setting of one trial.
 *
 * @param rate queries for each tick
 * @param unknown shards that policies do not know
 */
record Scenario(Farm farm, QueryMix mix, double rate, TreeSet<Integer> unknown) {
  /** The paper's small farm: 5 servers with 4 cores, 100 shards, 10 ticks for an access. */
  static final Farm SMALL = Farm.uniform(5, 4, 100, 10);

  /** Returns a scenario in which policies know everything, and this share of all cores is busy. */
  static Scenario busy(Farm farm, QueryMix mix, double utilization) {
    return new Scenario(farm, mix, farm.rateFor(utilization, mix), new TreeSet<>());
  }
}
