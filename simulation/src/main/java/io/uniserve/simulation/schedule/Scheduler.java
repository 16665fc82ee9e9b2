package io.uniserve.simulation.schedule;

import io.uniserve.api.error.UniserveException;
import io.uniserve.simulation.schedule.SimulatedThread.Ready;
import io.uniserve.simulation.schedule.SimulationFailure.Kind;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * The scheduler of all simulated threads. It runs one at a time, on the thread that made this
 * scheduler. The seed decides which of the runnable threads comes next. Simulated time stands still
 * while any can run; then it jumps to the next event. So a run follows from its seed alone.
 *
 * <p>Violations of this are found, not tolerated: a wake-up by another thread, and a wait that the
 * scheduler cannot see.
 */
public final class Scheduler {
  static final Instant START = Instant.parse("2025-01-01T00:00:00Z");

  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  /** The longest wait for a monitor, whose holder may have to wait for a processor. */
  private static final long MONITOR_NANOS_MAX = 5_000_000_000L;

  private static final int EVENTS_BEFORE_PURGE_MIN = 64;

  private final Thread owner = Thread.currentThread();
  private final Order order;
  private final long stepsMax;
  private final List<Ready> runnable = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Life> lives = new ArrayList<>();
  private final AtomicReference<Runnable> unblocked = new AtomicReference<>();
  private final Trace trace = new Trace();
  private final Map<String, LongConsumer> meters = new TreeMap<>();
  private volatile SimulationFailure failure;
  private SimulatedThread running;
  private long nanos;
  private long steps;
  private long eventOrder;
  private int threadOrdinal;
  private int eventsBeforePurge = EVENTS_BEFORE_PURGE_MIN;

  /**
   * @param random decides which thread runs next
   * @param stepsMax the most steps that the whole run may take
   */
  public Scheduler(RandomGenerator random, long stepsMax) {
    order = new Order(random);
    this.stepsMax = stepsMax;
  }

  /** Returns simulated nanoseconds since the start. */
  public long nanos() {
    return nanos;
  }

  /** Returns the true time of day, which the clocks of processes may show wrongly. */
  public Instant now() {
    return START.plusNanos(nanos);
  }

  /** Returns how many steps were made. */
  public long steps() {
    return steps;
  }

  /** Returns the events so far. */
  public Trace trace() {
    return trace;
  }

  /** Notes an event. */
  public void note(String text) {
    trace.event(nanos, text);
  }

  /**
   * Measures how much real CPU time each step takes of the threads of this name, of whatever
   * process. It shows how fast code is, and decides nothing.
   *
   * @param nanos receives the nanoseconds of each step
   */
  public void measure(String threadName, LongConsumer nanos) {
    meters.put(threadName, nanos);
  }

  LongConsumer meter(String threadName) {
    return meters.get(threadName);
  }

  /** Begins a life. */
  public Life begin(String name) {
    Life life = new Life(this, name);
    lives.removeIf(former -> !former.alive());
    lives.add(life);
    return life;
  }

  /** Runs a task of the simulator, which must not wait, at a moment, or now if it has passed. */
  public Event at(long moment, Runnable task) {
    Event event = new Event(Math.max(moment, nanos), eventOrder++, task);
    events.add(event);
    if (events.size() >= eventsBeforePurge) {
      purge();
    }
    return event;
  }

  /**
   * Forgets cancelled events. Most are timeouts of calls that were answered long before, which
   * would make the queue many times longer.
   */
  private void purge() {
    events.removeIf(Event::cancelled);
    eventsBeforePurge = Math.max(EVENTS_BEFORE_PURGE_MIN, 2 * events.size());
  }

  /** Returns whether the calling thread is a simulated one, and so may wait. */
  public boolean mayWait() {
    return running != null && Thread.currentThread() == running.thread();
  }

  /** Returns a made-up CPU time of the calling simulated thread. */
  public long cpuNanos() {
    return running == null ? 0 : running.cpuNanos();
  }

  /**
   * Runs until the goal is reached.
   *
   * @param goal checked after every step
   * @param until the moment at which it must be reached
   * @param what names the goal in the message
   * @throws SimulationFailure of any kind
   */
  public void run(BooleanSupplier goal, long until, String what) {
    while (!goal.getAsBoolean()) {
      if (!step(until)) {
        Kind kind = nextEvent() == null ? Kind.DEADLOCK : Kind.NO_PROGRESS;
        nanos = kind == Kind.DEADLOCK ? nanos : until;
        throw failed(kind, what + " is not reached");
      }
    }
  }

  /**
   * Runs until a moment.
   *
   * @param afterEachStep runs after every step
   */
  public void runTo(long until, Runnable afterEachStep) {
    while (step(until)) {
      afterEachStep.run();
    }
    nanos = Math.max(nanos, until);
  }

  /** Makes one step; returns false if none is left before the moment. */
  private boolean step(long until) {
    requireSound();
    if (runnable.isEmpty()) {
      Event next = nextEvent();
      if (next == null || next.nanos() > until) {
        return false;
      }
      events.poll();
      nanos = next.nanos();
      next.happen();
    } else {
      runOne();
    }
    countStep();
    requireSound();
    return true;
  }

  private void runOne() {
    int chosen = order.next(runnable);
    Ready ready = runnable.get(chosen);
    Ready last = runnable.removeLast();
    if (chosen < runnable.size()) {
      runnable.set(chosen, last);
    }
    running = ready.thread();
    running.countStep();
    trace.step(nanos, running.ordinal());
    try {
      Runnable part = ready.continuation();
      while (part != null) {
        run(part, running.meter());
        part = afterMonitor(running.thread());
      }
    } finally {
      requireSeenWait(running);
      running = null;
    }
  }

  private static void run(Runnable part, LongConsumer meter) {
    if (meter == null) {
      part.run();
    } else {
      long before = CPU.getCurrentThreadCpuTime();
      part.run();
      meter.accept(CPU.getCurrentThreadCpuTime() - before);
    }
  }

  /**
   * Returns the rest of a step that met a monitor. The JDK has some, which other simulations in
   * this JVM hold for moments; the step continues as if it had not met one. A monitor that a
   * simulated thread holds is not free before that thread runs again, so it is not waited for any
   * longer.
   */
  private Runnable afterMonitor(Thread thread) {
    long end = System.nanoTime() + MONITOR_NANOS_MAX;
    Runnable part = unblocked.getAndSet(null);
    while (part == null && VirtualThreads.isAtMonitor(thread) && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
      part = unblocked.getAndSet(null);
    }
    return part;
  }

  /**
   * Requires that a wait is one that the scheduler sees. A wait on the wall clock or for a monitor
   * is ended by a thread of the JVM, at any moment.
   */
  private void requireSeenWait(SimulatedThread thread) {
    if (VirtualThreads.isAtMonitor(thread.thread())) {
      fail(Kind.UNSEEN_WAIT, thread + " waits for a monitor: use a ReentrantLock", null);
    } else if (thread.thread().getState() == Thread.State.TIMED_WAITING) {
      fail(
          Kind.UNSEEN_WAIT,
          thread + " waits on the wall clock: use Clock.sleep or Signal.await",
          null);
    }
  }

  private Event nextEvent() {
    while (!events.isEmpty() && events.peek().cancelled()) {
      events.poll();
    }
    return events.peek();
  }

  private void countStep() {
    steps++;
    if (steps > stepsMax) {
      fail(Kind.STEP_BUDGET, "more than " + stepsMax + " steps", null);
    }
  }

  private void requireSound() {
    SimulationFailure found = failure;
    if (found != null) {
      throw found;
    }
  }

  SimulatedThread createThread(Life life, String name, Runnable body) {
    return new SimulatedThread(this, life, name, threadOrdinal++, body);
  }

  /** Makes a thread runnable; the JDK calls this whenever a simulated thread can go on. */
  void ready(Ready ready) {
    Thread waker = Thread.currentThread();
    if (ready.thread() == running && VirtualThreads.isAtMonitor(running.thread())) {
      unblocked.set(ready.continuation()); // from a thread of the JDK, or from this one at once
    } else if (waker != owner && (running == null || waker != running.thread())) {
      // It is not thrown here, since it would end a thread of the JVM.
      failure =
          new SimulationFailure(
              Kind.FOREIGN_WAKE_UP, ready.thread() + " was woken by the thread " + waker.getName());
    } else if (ready.thread().life().paused()) {
      ready.thread().life().hold(ready);
    } else if (ready.thread().life().alive()) {
      runnable.add(ready);
    }
  }

  /** Takes the runnable threads of a life away. */
  List<Ready> drop(Life life) {
    List<Ready> dropped = runnable.stream().filter(r -> r.thread().life() == life).toList();
    runnable.removeAll(dropped);
    return dropped;
  }

  Life runningLife() {
    return running == null ? null : running.life();
  }

  void stopRunningThread() {
    while (mayWait()) {
      LockSupport.park(this);
    }
  }

  /**
   * Handles an exception that ended a thread of a process. Our own exceptions are the process's
   * business.
   */
  void uncaught(Life life, String threadName, Throwable thrown) {
    note(life.name() + "/" + threadName + " ended with " + thrown);
    if (!(thrown instanceof UniserveException)) {
      fail(Kind.UNCAUGHT, life.name() + "/" + threadName + " ended with " + thrown, thrown);
    }
  }

  /** Ends the run with a failure at the end of this step; the first counts. */
  public void fail(Kind kind, String detail, Throwable cause) {
    if (failure == null) {
      failure = cause instanceof SimulationFailure known ? known : failed(kind, detail, cause);
    }
  }

  private SimulationFailure failed(Kind kind, String detail) {
    return failed(kind, detail, null);
  }

  private SimulationFailure failed(Kind kind, String detail, Throwable cause) {
    StringBuilder text = new StringBuilder(detail);
    text.append("\nafter ").append(steps).append(" steps and ").append(nanos / 1e9).append(" s\n");
    text.append("latest events:\n");
    trace.latest().forEach(line -> text.append("  ").append(line).append('\n'));
    text.append("threads:\n");
    lives.stream().filter(Life::alive).forEach(life -> life.describe(text));
    return new SimulationFailure(kind, text.toString(), cause);
  }
}
