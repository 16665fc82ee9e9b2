package io.uniserve.runtime.client.context;

import io.uniserve.runtime.client.plan.PlanCluster.Listening;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Those within a client who wait for changes of cluster state. */
public final class StateChanges {
  private final List<Runnable> tasks = new CopyOnWriteArrayList<>();

  /** Runs a task, which must neither wait nor fail, at every change. */
  public Listening add(Runnable task) {
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  public void tell() {
    tasks.forEach(Runnable::run);
  }
}
