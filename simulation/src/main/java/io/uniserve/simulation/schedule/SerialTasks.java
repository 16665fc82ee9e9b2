package io.uniserve.simulation.schedule;

import java.util.ArrayDeque;
import java.util.Deque;

/** The tasks that run one after another on a simulated thread, which lives while there are any. */
public final class SerialTasks {
  private final Life life;
  private final String name;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private boolean active;

  /**
   * @param life the process
   * @param name the name of the threads
   */
  public SerialTasks(Life life, String name) {
    this.life = life;
    this.name = name;
  }

  /** Adds a task. An exception of one does not keep the next from running. */
  public void add(Runnable task) {
    tasks.add(task);
    if (!active) {
      active = true;
      life.start(name, this::next);
    }
  }

  private void next() {
    while (!tasks.isEmpty()) {
      life.guard(name, tasks.poll());
    }
    active = false;
  }
}
