package io.uniserve.simulation;

import io.uniserve.kernel.MessageCodec;
import io.uniserve.simulation.disk.SimulatedDisk;
import io.uniserve.simulation.network.SimulatedNetwork;
import io.uniserve.simulation.schedule.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Processes, a network between them, and a clock that stands still until somebody runs it. Used by
 * one thread, the one that made it.
 */
public final class SimulatedCluster implements AutoCloseable {
  private static final int SHARED_DISK_RATIO = 8;

  private final Seed seed;
  private final ClusterSettings settings;
  private final Scheduler scheduler;
  private final SimulatedNetwork network;
  private final Map<String, SimulatedProcess> processes = new LinkedHashMap<>();
  private final List<SimulatedDisk> disks = new ArrayList<>();
  private final List<Runnable> invariants = new ArrayList<>();
  private Supplier<String> description = () -> "";

  /**
   * @param seed decides everything
   * @param codec the codec that makes bytes of the messages between the processes
   * @param settings the settings of the whole cluster
   */
  public SimulatedCluster(Seed seed, MessageCodec codec, ClusterSettings settings) {
    this.seed = seed;
    this.settings = settings;
    scheduler = new Scheduler(seed.random("schedule"), settings.stepsMax());
    network = new SimulatedNetwork(scheduler, seed.random("network"), codec, settings.network());
  }

  /** Adds a process, not yet started. */
  public SimulatedProcess add(String name, Program program) {
    SimulatedProcess process = new SimulatedProcess(this, name, program);
    if (processes.putIfAbsent(name, process) != null) {
      throw new IllegalArgumentException("there is a process '" + name + "' already");
    }
    return process;
  }

  /** Creates a disk for a process. */
  SimulatedDisk disk() {
    return kept(SimulatedDisk.ofMachine(settings.diskBytes(), scheduler::now));
  }

  /** Creates a disk that several processes share, larger than their own; it never loses power. */
  public SimulatedDisk sharedDisk() {
    return kept(SimulatedDisk.ofService(SHARED_DISK_RATIO * settings.diskBytes(), scheduler::now));
  }

  private SimulatedDisk kept(SimulatedDisk disk) {
    disks.add(disk);
    return disk;
  }

  /** Returns all processes, in the order in which they were added. */
  public List<SimulatedProcess> processes() {
    return List.copyOf(processes.values());
  }

  /** Returns the process of this name. */
  public SimulatedProcess process(String name) {
    SimulatedProcess process = processes.get(name);
    if (process == null) {
      throw new IllegalArgumentException("there is no process '" + name + "'");
    }
    return process;
  }

  /** Returns the network between them. */
  public SimulatedNetwork network() {
    return network;
  }

  /** Returns the scheduler of everything. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** Returns the seed that this run follows from. */
  public Seed seed() {
    return seed;
  }

  /** Returns the settings of the whole cluster. */
  public ClusterSettings settings() {
    return settings;
  }

  /** Runs a check after every step from now on; the check throws if it does not hold. */
  public void always(Runnable check) {
    invariants.add(check);
  }

  /** Runs for some simulated time. */
  public void run(Duration duration) {
    long until = scheduler.nanos() + duration.toNanos();
    scheduler.runTo(until, this::checkInvariants);
  }

  /**
   * Runs until a goal is reached.
   *
   * @param what the goal, for the message
   * @param goal checked after every step
   * @param longest the most simulated time that it may take
   */
  public void runUntil(String what, BooleanSupplier goal, Duration longest) {
    scheduler.run(
        () -> {
          checkInvariants();
          return goal.getAsBoolean();
        },
        scheduler.nanos() + longest.toNanos(),
        what);
  }

  /** Sets the description of the state for failure reports, beside the events. */
  public void describe(Supplier<String> newDescription) {
    description = newDescription;
  }

  /** Returns a description of the state, for people. */
  public String description() {
    return description.get();
  }

  private void checkInvariants() {
    invariants.forEach(Runnable::run);
  }

  @Override
  public void close() {
    processes.values().forEach(SimulatedProcess::crash);
    disks.forEach(SimulatedDisk::close);
  }
}
