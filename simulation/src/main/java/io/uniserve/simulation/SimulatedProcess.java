package io.uniserve.simulation;

import io.uniserve.kernel.Environment;
import io.uniserve.simulation.disk.SimulatedDisk;
import io.uniserve.simulation.schedule.ClockError;
import io.uniserve.simulation.schedule.Life;
import io.uniserve.simulation.schedule.SimulatedClock;
import io.uniserve.simulation.schedule.SimulatedThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A process of a simulated cluster, with the machine that it has to itself. */
public final class SimulatedProcess {
  private static final long RESTART_NANOS = 500_000_000;

  private final SimulatedCluster cluster;
  private final String name;
  private final Program program;
  private final SimulatedDisk disk;
  private final ClockError clockError;
  private final RandomGenerator random;
  private final List<Runnable> onEnd = new ArrayList<>();
  private Life life;
  private int starts;
  private double engineFailures;

  SimulatedProcess(SimulatedCluster cluster, String name, Program program) {
    this.cluster = cluster;
    this.name = name;
    this.program = program;
    random = cluster.seed().random("process " + name);
    disk = cluster.disk();
    clockError = new ClockError(random.nextLong(-1_000_000_000_000L, 1_000_000_000_000L));
  }

  /** Returns its name. */
  public String name() {
    return name;
  }

  /** Runs a task of the simulator each time that the process ends. */
  public void onEnd(Runnable task) {
    onEnd.add(task);
  }

  /** Returns its disk. */
  public SimulatedDisk disk() {
    return disk;
  }

  /** Returns the error of its clock. */
  public ClockError clockError() {
    return clockError;
  }

  /**
   * Lets engine code fail from now on.
   *
   * @param share the share of calls; 0 for none
   */
  public void failEngine(double share) {
    engineFailures = share;
  }

  /** Returns whether the next call of engine code fails. */
  public boolean engineFails() {
    return engineFailures > 0 && random.nextDouble() < engineFailures;
  }

  /** Returns whether it runs; a paused process does. */
  public boolean running() {
    return life != null && life.alive();
  }

  /** Returns whether its threads are stopped for a while. */
  public boolean paused() {
    return running() && life.paused();
  }

  /** Starts the program; nothing happens if it runs already. */
  public SimulatedProcess start() {
    if (!running()) {
      starts++;
      life = cluster.scheduler().begin(name + "#" + starts);
      cluster.scheduler().note("start " + life.name());
      onEnd.forEach(life::onKill);
      Environment environment = environment();
      life.start("main", () -> run(environment));
    }
    return this;
  }

  private void run(Environment environment) {
    try {
      program.run(environment);
    } catch (RuntimeException e) {
      throw e;
    } catch (IOException e) {
      endAndStartAgain(e);
    } catch (Exception e) {
      throw new IllegalStateException("the program of " + name + " failed", e);
    }
  }

  /** Ends a program that its disk does not let begin; it is started again later. */
  private void endAndStartAgain(IOException failure) {
    Life failed = life;
    cluster.scheduler().note(failed.name() + " could not start: " + failure);
    cluster
        .scheduler()
        .at(
            cluster.scheduler().nanos() + RESTART_NANOS,
            () -> {
              if (life == failed) {
                crash();
                start();
              }
            });
  }

  private Environment environment() {
    SimulatedClock clock = new SimulatedClock(cluster.scheduler(), life, clockError);
    RandomGenerator own = cluster.seed().random(life.name());
    return new SimulatedEnvironment(
        clock,
        new SimulatedThreads(cluster.scheduler(), life, clock, random),
        disk.storage(clock, random),
        cluster.network().transport(name, life, clock),
        own);
  }

  /** Ends it without warning, as {@code kill -9} does. */
  public void crash() {
    if (running()) {
      cluster.scheduler().note("crash " + life.name());
      life.kill();
    }
  }

  /** Ends it, and lets its disk lose everything that was not forced. */
  public void failPower() {
    if (running()) {
      cluster.scheduler().note("power failure " + life.name());
      life.kill();
      disk.crash(random);
    }
  }

  /** Ends it and empties its disk. */
  public void loseDisk() {
    if (running()) {
      cluster.scheduler().note("disk loss " + life.name());
      life.kill();
      disk.wipe();
    }
  }

  /** Stops its threads for a while, as {@code SIGSTOP} does. */
  public void pause() {
    if (running()) {
      cluster.scheduler().note("pause " + life.name());
      life.pause();
    }
  }

  /** Lets its threads go on. */
  public void resume() {
    if (paused()) {
      cluster.scheduler().note("resume " + life.name());
      life.resume();
    }
  }

  /** Lets its threads go on, on a machine that was suspended: its monotonic clock stood still. */
  public void wake() {
    if (paused()) {
      clockError().stoodStill(life.pausedNanos());
      resume();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
