package io.uniserve.simulation.scenario.scale;

import io.uniserve.kernel.MessageCodec;
import io.uniserve.runtime.control.scaling.ServerProvider;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.simulation.ClusterSettings;
import io.uniserve.simulation.RunSettings;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.network.NetworkSettings;
import io.uniserve.simulation.run.Run;
import io.uniserve.simulation.run.Scenario;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The production coordinator with as many servers and actors as wanted, over a day of load that
 * comes and goes, with failures, drains, and servers added and removed by a provider. Then all of
 * it stops, and the cluster must come to rest in its right state.
 */
public final class ScaleScenario implements Scenario {
  private static final long STEPS_MAX = 20_000_000_000L;

  /** The size of a disk, to which nobody writes files here. */
  private static final long DISK_BYTES = 1 << 20;

  private final ScaleSize size;
  private final Consumer<String> progress;
  private final Interception defect;
  private final BiFunction<ServerProvider, Supplier<ClusterState>, ServerProvider> providing;

  /** Creates the scenario that CI plays. */
  public ScaleScenario() {
    this(ScaleSize.SMALL, line -> {});
  }

  /**
   * @param size the size of the runs that are planned
   * @param progress receives a line for each hour, and the result of a run in the end
   */
  public ScaleScenario(ScaleSize size, Consumer<String> progress) {
    this(size, progress, new Interception() {}, (provider, newest) -> provider);
  }

  /**
   * @param defect an intended defect: it changes messages between processes
   * @param providing replaces the provider that controllers are given, possibly by a worse one
   */
  ScaleScenario(
      ScaleSize size,
      Consumer<String> progress,
      Interception defect,
      BiFunction<ServerProvider, Supplier<ClusterState>, ServerProvider> providing) {
    this.size = size;
    this.progress = progress;
    this.defect = defect;
    this.providing = providing;
  }

  @Override
  public String name() {
    return "scale";
  }

  @Override
  public String options() {
    return size.options();
  }

  @Override
  public MessageCodec codec() {
    return new WireCodec(new Engines(List.of(new ModelEngine())));
  }

  @Override
  public ClusterSettings settings() {
    NetworkSettings usual = NetworkSettings.DEFAULT;
    NetworkSettings network =
        new NetworkSettings(
            usual.delayMin(), usual.delayMax(), usual.stragglers(), usual.silenceMax(), true);
    return new ClusterSettings(network, DISK_BYTES, STEPS_MAX);
  }

  @Override
  public Run plan(Seed seed) {
    RunSettings settings = size.settings();
    return new Run(
        name(),
        seed.value(),
        settings,
        Failures.plan(size, ScaleRun.controllers(size), seed.random("faults")));
  }

  @Override
  public List<String> processes(Run run) {
    return ScaleRun.processes(ScaleSize.of(run.settings()));
  }

  @Override
  public void play(SimulatedCluster cluster, Run run) {
    cluster.network().intercept(defect);
    new ScaleRun(cluster, ScaleSize.of(run.settings()), providing, progress).play(run.faults());
  }
}
