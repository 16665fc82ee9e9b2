package io.uniserve.runtime.client.context;

import io.uniserve.runtime.client.plan.PlanCluster.Listening;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The listeners within a client for changes of cluster state. */
public final class StateChanges {
  private final List<Runnable> tasks = new CopyOnWriteArrayList<>();

  /** Runs a task at every change. The task must neither wait nor fail. */
  public Listening add(Runnable task) {
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  public void tell() {
    tasks.forEach(Runnable::run);
  }
}
