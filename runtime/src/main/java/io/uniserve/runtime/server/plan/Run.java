package io.uniserve.runtime.server.plan;

import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.wire.plan.OutputId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** The data of one run of a plan on this server. */
final class Run {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<OutputId, Shared<Output>> outputs = new TreeMap<>();
  private volatile boolean ended;

  boolean ended() {
    return ended;
  }

  /**
   * Keeps an output; returns false, and does not keep it, if the run has ended or has an output of
   * that name.
   */
  boolean keep(OutputId id, Shared<Output> output) {
    lock.lock();
    try {
      return !ended && outputs.putIfAbsent(id, output) == null;
    } finally {
      lock.unlock();
    }
  }

  /** Acquires an output. */
  Optional<Shared<Output>> acquire(OutputId id) {
    lock.lock();
    try {
      return Optional.ofNullable(outputs.get(id)).filter(Shared::acquire);
    } finally {
      lock.unlock();
    }
  }

  /** Releases all outputs of a stage. */
  void release(int stage) {
    List<Shared<Output>> retired = new ArrayList<>();
    lock.lock();
    try {
      outputs
          .entrySet()
          .removeIf(entry -> entry.getKey().stage() == stage && retired.add(entry.getValue()));
    } finally {
      lock.unlock();
    }
    retired.forEach(Shared::retire);
  }

  /** Releases all outputs, and lets no others in. */
  void end() {
    List<Shared<Output>> retired;
    lock.lock();
    try {
      ended = true;
      retired = List.copyOf(outputs.values());
      outputs.clear();
    } finally {
      lock.unlock();
    }
    retired.forEach(Shared::retire);
  }
}
