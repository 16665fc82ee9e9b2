package io.uniserve.simulation.schedule;

/** An event at a moment of simulated time. */
public final class Event implements Comparable<Event> {
  private final long nanos;
  private final long order;
  private Runnable task;

  Event(long nanos, long order, Runnable task) {
    this.nanos = nanos;
    this.order = order;
    this.task = task;
  }

  /** Returns its moment, in simulated nanoseconds since the start. */
  public long nanos() {
    return nanos;
  }

  /** Cancels the event. */
  public void cancel() {
    task = null;
  }

  boolean cancelled() {
    return task == null;
  }

  void happen() {
    Runnable once = task;
    task = null;
    once.run();
  }

  @Override
  public int compareTo(Event other) {
    int byTime = Long.compare(nanos, other.nanos);
    return byTime != 0 ? byTime : Long.compare(order, other.order);
  }
}
