package io.uniserve.simulation.fault;

import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.disk.Rot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/** The effects of faults on a cluster. */
final class FaultEffects {
  private final SimulatedCluster cluster;

  FaultEffects(SimulatedCluster cluster) {
    this.cluster = cluster;
  }

  /** Begins a fault. */
  void begin(Fault fault) {
    switch (fault.kind()) {
      case CRASH, OUTAGE -> ofVictims(fault, SimulatedProcess::crash);
      case POWER_FAILURE -> ofVictims(fault, SimulatedProcess::failPower);
      case DISK_LOSS -> ofVictims(fault, SimulatedProcess::loseDisk);
      case PAUSE, SUSPENSION -> ofVictims(fault, SimulatedProcess::pause);
      case ONE_WAY_CUT ->
          cluster.network().cut(fault.victims().getFirst(), fault.others().getFirst());
      case PARTITION, SERVERS_APART -> cluster.network().partition(fault.victims(), fault.others());
      case MESSAGE_LOSS -> cluster.network().lose(fault.measure());
      case SLOW_LINK -> slowLink(fault, fault.measure());
      case SLOW_DISK -> ofVictims(fault, victim -> slowDisk(victim, fault.measure()));
      case FULL_DISK -> ofVictims(fault, this::fillDisk);
      case CLOCK_SKEW ->
          ofVictims(fault, victim -> skew(victim, Duration.ofSeconds((long) fault.measure())));
      case CLOCK_DRIFT -> ofVictims(fault, victim -> drift(victim, fault.measure()));
      case FAILED_WRITES -> ofVictims(fault, victim -> failWrites(victim, fault.measure()));
      case FAILED_READS -> ofVictims(fault, victim -> failReads(victim, fault.measure()));
      case FAILING_ENGINE -> ofVictims(fault, victim -> failEngine(victim, fault.measure()));
      case FAILED_FORCES -> ofVictims(fault, victim -> failForces(victim, fault.measure()));
      case FLIPPED_BIT -> ofVictims(fault, victim -> rot(victim, Rot.FLIPPED_BIT, fault));
      case LOST_WRITE -> ofVictims(fault, victim -> rot(victim, Rot.LOST_WRITE, fault));
      case MISDIRECTED_WRITE ->
          ofVictims(fault, victim -> rot(victim, Rot.MISDIRECTED_WRITE, fault));
      case ROT_AT_REST -> ofVictims(fault, victim -> rot(victim, Rot.FLIPPED_BIT_AT_REST, fault));
      case ROT_WHILE_DOWN ->
          ofVictims(
              fault,
              victim -> {
                victim.crash();
                rot(victim, Rot.FLIPPED_BIT_OF_ENTRY, fault);
              });
    }
  }

  /** Repairs a fault. */
  void end(Fault fault) {
    switch (fault.kind()) {
      case CRASH, OUTAGE, POWER_FAILURE, DISK_LOSS, ROT_WHILE_DOWN ->
          ofVictims(fault, SimulatedProcess::start);
      case PAUSE -> ofVictims(fault, SimulatedProcess::resume);
      case SUSPENSION -> ofVictims(fault, SimulatedProcess::wake);
      case ONE_WAY_CUT ->
          cluster.network().mend(fault.victims().getFirst(), fault.others().getFirst());
      case PARTITION, SERVERS_APART -> cluster.network().rejoin(fault.victims(), fault.others());
      case MESSAGE_LOSS -> cluster.network().lose(0);
      case SLOW_LINK -> slowLink(fault, 1);
      case SLOW_DISK -> ofVictims(fault, victim -> slowDisk(victim, 1));
      case FULL_DISK -> ofVictims(fault, victim -> victim.disk().free());
      case CLOCK_SKEW -> ofVictims(fault, victim -> victim.clockError().skew(Duration.ZERO));
      case CLOCK_DRIFT -> ofVictims(fault, victim -> drift(victim, 1));
      case FAILED_WRITES -> ofVictims(fault, victim -> failWrites(victim, 0));
      case FAILED_READS -> ofVictims(fault, victim -> failReads(victim, 0));
      case FAILING_ENGINE -> ofVictims(fault, victim -> failEngine(victim, 0));
      case FAILED_FORCES -> ofVictims(fault, victim -> failForces(victim, 0));
      case FLIPPED_BIT, LOST_WRITE, MISDIRECTED_WRITE, ROT_AT_REST -> {
        // It lasts until the system notices it.
      }
    }
  }

  private void ofVictims(Fault fault, Consumer<SimulatedProcess> effect) {
    fault.victims().forEach(victim -> effect.accept(cluster.process(victim)));
  }

  private void slowLink(Fault fault, double factor) {
    cluster.network().slow(fault.victims().getFirst(), fault.others().getFirst(), factor);
  }

  private void slowDisk(SimulatedProcess victim, double factor) {
    cluster.scheduler().note("the disk of " + victim + " is slower by " + factor);
    victim.disk().slow(factor);
  }

  private void fillDisk(SimulatedProcess victim) {
    cluster.scheduler().note("the disk of " + victim + " is full");
    victim.disk().fill();
  }

  private void failWrites(SimulatedProcess victim, double share) {
    cluster.scheduler().note("the disk of " + victim + " fails " + share + " of all writes");
    victim.disk().failWrites(share);
  }

  private void failEngine(SimulatedProcess victim, double share) {
    cluster.scheduler().note("the engine of " + victim + " fails " + share + " of all calls");
    victim.failEngine(share);
  }

  private void failReads(SimulatedProcess victim, double share) {
    cluster.scheduler().note("the disk of " + victim + " fails " + share + " of all reads");
    victim.disk().failReads(share);
  }

  private void failForces(SimulatedProcess victim, double share) {
    cluster.scheduler().note("the disk of " + victim + " fails " + share + " of all forces");
    victim.disk().failForces(share);
  }

  private void rot(SimulatedProcess victim, Rot kind, Fault fault) {
    victim
        .disk()
        .rot(kind, file -> mayRot(kind, file), cluster.seed().random("rot " + fault))
        .ifPresent(file -> cluster.scheduler().note(kind + " in " + file + " of " + victim));
  }

  /** Returns whether a file may rot: logs and checkpoints may, which carry checksums. */
  private static boolean mayRot(Rot kind, Path file) {
    String name = file.toString();
    return name.contains("/log/")
        || name.contains("/checkpoints/")
            && kind != Rot.FLIPPED_BIT_OF_ENTRY
            && !isBeingWritten(file);
  }

  /**
   * Returns whether a file is of a checkpoint without checksums yet. Whoever makes it reads from
   * memory what the disk is yet to get.
   */
  private static boolean isBeingWritten(Path file) {
    for (Path at = file.getParent(); at != null && at.getFileName() != null; at = at.getParent()) {
      if (at.getFileName().toString().startsWith("unfinished-")) {
        return !Files.exists(at.resolve("sums"));
      }
    }
    return false;
  }

  private void skew(SimulatedProcess victim, Duration skew) {
    cluster.scheduler().note("the clock of " + victim + " is off by " + skew);
    victim.clockError().skew(skew);
  }

  private void drift(SimulatedProcess victim, double rate) {
    cluster.scheduler().note("the clock of " + victim + " runs at " + rate);
    victim.clockError().rate(cluster.scheduler().nanos(), rate);
  }
}
