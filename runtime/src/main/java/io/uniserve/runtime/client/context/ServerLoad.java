package io.uniserve.runtime.client.context;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The number of operators that this client has under way on each server, which is the load that it
 * knows without asking.
 */
public final class ServerLoad {
  private final Map<String, AtomicInteger> outstanding = new ConcurrentSkipListMap<>();
  private final AtomicInteger rotation = new AtomicInteger();

  public int of(String server) {
    AtomicInteger count = outstanding.get(server);
    return count == null ? 0 : count.get();
  }

  public void begin(String server, int operators) {
    outstanding.computeIfAbsent(server, name -> new AtomicInteger()).addAndGet(operators);
  }

  public void end(String server, int operators) {
    outstanding.get(server).addAndGet(-operators);
  }

  /** Returns another number each time, so that equally good choices are taken in turn. */
  public int nextTurn() {
    return rotation.getAndIncrement() & Integer.MAX_VALUE;
  }
}
