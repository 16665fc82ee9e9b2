package io.uniserve.simulation.scenario.scale;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.simulation.SimulatedProcess;
import java.util.Optional;
import java.util.TreeMap;

/** The machine of the server of one name, over all its lives. */
final class Machine {
  private final String name;
  private final long memoryBytesMax;
  private final TreeMap<ActorId, Held> disk = new TreeMap<>();
  private long usedBytes;
  private SimulatedProcess process;
  private Optional<ModelledServer> server = Optional.empty();
  private boolean wanted;
  private boolean broken;

  /**
   * One copy on a disk.
   *
   * @param copy its identity
   * @param bytes that it occupies
   * @param promised no primary of an epoch below this one is followed
   * @param position the position of the last update in it
   */
  record Held(CopyId copy, long bytes, long promised, Position position) {}

  Machine(String name, long memoryBytesMax) {
    this.name = name;
    this.memoryBytesMax = memoryBytesMax;
  }

  String name() {
    return name;
  }

  void runs(SimulatedProcess itsProcess) {
    process = itsProcess;
  }

  SimulatedProcess process() {
    return process;
  }

  /** Returns the server that runs on it; empty if none does. */
  Optional<ModelledServer> server() {
    return server;
  }

  void begun(ModelledServer begun) {
    server = Optional.of(begun);
  }

  void ended() {
    server = Optional.empty();
  }

  /** Returns whether its provider wants a server here. */
  boolean wanted() {
    return wanted;
  }

  void want(boolean now) {
    wanted = now;
  }

  /** Returns whether no server can run here. */
  boolean broken() {
    return broken;
  }

  void broken(boolean now) {
    broken = now;
  }

  TreeMap<ActorId, Held> disk() {
    return disk;
  }

  long usedBytes() {
    return usedBytes;
  }

  boolean hasRoom(long bytes) {
    return usedBytes + bytes <= memoryBytesMax;
  }

  void hold(ActorId id, Held held) {
    drop(id);
    Invariant.VALID_ASSIGNMENT.require(
        hasRoom(held.bytes()), () -> name + " has no memory for " + id);
    disk.put(id, held);
    usedBytes += held.bytes();
  }

  void drop(ActorId id) {
    Held former = disk.remove(id);
    usedBytes -= former == null ? 0 : former.bytes();
  }

  /** Replaces its disk. */
  void wipe() {
    disk.clear();
    usedBytes = 0;
  }
}
