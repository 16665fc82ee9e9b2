package io.uniserve.runtime.server.plan;

import io.uniserve.runtime.wire.plan.OutputId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** What one run of a plan has on this server. */
final class Run {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<OutputId, Holding<Output>> outputs = new TreeMap<>();
  private volatile boolean ended;

  boolean ended() {
    return ended;
  }

  /** Keeps an output; false, and it is not kept, if the run has ended or knows the name. */
  boolean keep(OutputId id, Holding<Output> output) {
    lock.lock();
    try {
      return !ended && outputs.putIfAbsent(id, output) == null;
    } finally {
      lock.unlock();
    }
  }

  /** An output, acquired. */
  Optional<Holding<Output>> acquire(OutputId id) {
    lock.lock();
    try {
      return Optional.ofNullable(outputs.get(id)).filter(Holding::acquire);
    } finally {
      lock.unlock();
    }
  }

  /** Whatever the attempts at a stage made is not needed any more. */
  void release(int stage) {
    List<Holding<Output>> retired = new ArrayList<>();
    lock.lock();
    try {
      outputs
          .entrySet()
          .removeIf(entry -> entry.getKey().stage() == stage && retired.add(entry.getValue()));
    } finally {
      lock.unlock();
    }
    retired.forEach(Holding::retire);
  }

  /** Nothing is needed any more, and nothing else is kept. */
  void end() {
    List<Holding<Output>> retired;
    lock.lock();
    try {
      ended = true;
      retired = List.copyOf(outputs.values());
      outputs.clear();
    } finally {
      lock.unlock();
    }
    retired.forEach(Holding::retire);
  }
}
