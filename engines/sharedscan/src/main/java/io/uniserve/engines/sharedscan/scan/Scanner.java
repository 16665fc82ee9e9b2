package io.uniserve.engines.sharedscan.scan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.data.Segment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The thread that scans one segment. What waits when a cycle begins takes part in it; what comes
 * later waits for the next. A segment without work has a thread that waits. Safe for use by many
 * threads.
 */
public final class Scanner implements AutoCloseable {
  /** The most operations of one cycle. */
  public static final int OPERATIONS_MAX = 16_384;

  /** The most queries that wait. */
  public static final int QUERIES_MAX = 32_768;

  /**
   * The turns of all scanners of the process. More cycles than processors at once would only make
   * each of them longer; a cycle that waits for its turn meanwhile collects more. One processor is
   * left to those who ask.
   */
  private static final Semaphore TURNS =
      new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), true);

  /** Something that waits: operations of one caller, or work that nothing may run beside. */
  private record Waiting(
      List<Operation> operations, Function<Segment, ?> alone, CompletableFuture<Object> done) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final Segment segment;
  private final Frequencies frequencies = new Frequencies();
  private final Thread thread;
  private int operationsWaiting;
  private boolean closed;
  private volatile boolean failed;
  private volatile CycleReport last = CycleReport.NONE;

  /** The usual time of a cycle, with that until its turn. */
  private volatile long cycleNanos;

  /**
   * Starts the thread.
   *
   * @param name the name of the segment, for people
   * @param segment the segment, which nobody else uses from now on; it is closed with the scanner
   */
  public Scanner(String name, Segment segment) {
    this.segment = segment;
    this.thread = Thread.ofPlatform().daemon().name("scan " + name).start(this::scan);
  }

  /**
   * Has operations done in the next cycle, one after the other.
   *
   * @return completed once they are done
   */
  public CompletableFuture<Object> submit(List<Operation> operations) {
    return enter(new Waiting(operations, null, new CompletableFuture<>()));
  }

  /**
   * Has a query answered in the next cycle.
   *
   * @param remaining the time that its caller has
   * @return completed once all records have been given to its sink
   * @throws UniserveException with {@link ErrorCode#OVERLOADED} if too many wait, or the caller has
   *     not the time that it would wait
   */
  public CompletableFuture<Object> submit(Operation.Query query, Duration remaining) {
    int before = operationsWaiting();
    long cycles = 2 + before / OPERATIONS_MAX;
    if (before >= QUERIES_MAX || cycles * cycleNanos > remaining.toNanos()) {
      throw new UniserveException(
          ErrorCode.OVERLOADED,
          before
              + " operations wait for cycles of "
              + Duration.ofNanos(cycleNanos).toMillis()
              + " ms; try again later");
    }
    return submit(List.of(query));
  }

  /** Runs work on the segment between two cycles, and returns its result. */
  public <T> T alone(Function<Segment, T> work) {
    @SuppressWarnings("unchecked") // it is the result of this work
    T result = (T) result(enter(new Waiting(List.of(), work, new CompletableFuture<>())));
    return result;
  }

  /**
   * Waits for what was submitted.
   *
   * @throws UniserveException its failure
   */
  public static Object result(CompletableFuture<Object> done) {
    try {
      return done.join();
    } catch (java.util.concurrent.CompletionException e) {
      throw UniserveException.of(e.getCause());
    }
  }

  private CompletableFuture<Object> enter(Waiting one) {
    lock.lock();
    try {
      if (closed || failed) {
        throw closed();
      }
      waiting.add(one);
      operationsWaiting += one.operations.size();
      arrived.signal();
      return one.done;
    } finally {
      lock.unlock();
    }
  }

  private static UniserveException closed() {
    return new UniserveException(ErrorCode.STALE_ROUTING, "the records are not here any more");
  }

  private int operationsWaiting() {
    lock.lock();
    try {
      return operationsWaiting;
    } finally {
      lock.unlock();
    }
  }

  /** Returns what the last cycle has done. */
  public CycleReport last() {
    return last;
  }

  /** Returns whether a cycle has failed, so that the records are unknown. */
  public boolean failed() {
    return failed;
  }

  /** Returns the size of the records' memory in bytes. */
  public long sizeBytes() {
    return segment.sizeBytes();
  }

  private void scan() {
    while (awaitWork()) {
      long began = System.nanoTime();
      TURNS.acquireUninterruptibly();
      try {
        if (!runNext(began)) {
          return;
        }
      } finally {
        TURNS.release();
      }
    }
    rest().forEach(one -> one.done.completeExceptionally(closed()));
  }

  /**
   * Runs the next cycle; returns false if it has failed.
   *
   * @param ready the time at which it began to wait for its turn, in nanoseconds
   */
  private boolean runNext(long ready) {
    List<Waiting> cycle = take();
    if (cycle.isEmpty()) {
      return true; // the scanner was closed meanwhile
    }
    try {
      run(cycle, ready);
      return true;
    } catch (RuntimeException | Error e) {
      failed = true;
      cycle.forEach(one -> one.done.completeExceptionally(e));
      rest().forEach(one -> one.done.completeExceptionally(closed()));
      return false;
    }
  }

  private void run(List<Waiting> cycle, long ready) {
    Waiting first = cycle.getFirst();
    if (first.alone != null) {
      try {
        first.done.complete(first.alone.apply(segment));
      } catch (UniserveException e) {
        first.done.completeExceptionally(e);
      }
      return;
    }
    List<Operation> operations = new ArrayList<>();
    cycle.forEach(one -> operations.addAll(one.operations));
    long records = segment.records();
    long began = System.nanoTime();
    CycleReport.Indexes indexes = Join.run(segment, operations, frequencies, Costs.MEASURED);
    long ended = System.nanoTime();
    last = new CycleReport(operations.size(), records, ended - began, indexes);
    cycleNanos = cycleNanos == 0 ? ended - ready : (cycleNanos * 3 + ended - ready) / 4;
    cycle.forEach(one -> one.done.complete(null));
  }

  /** Waits for work; returns false once the scanner is closed. */
  private boolean awaitWork() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        arrived.awaitUninterruptibly();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Returns what runs next; nothing once the scanner is closed. */
  private List<Waiting> take() {
    lock.lock();
    try {
      List<Waiting> cycle = new ArrayList<>();
      int operations = 0;
      while (!closed && !waiting.isEmpty()) {
        Waiting next = waiting.peek();
        boolean fits = next.alone == null && operations + next.operations.size() <= OPERATIONS_MAX;
        if (!cycle.isEmpty() && !fits) {
          break;
        }
        cycle.add(waiting.remove());
        operations += next.operations.size();
        if (next.alone != null) {
          break;
        }
      }
      operationsWaiting -= operations;
      return cycle;
    } finally {
      lock.unlock();
    }
  }

  private List<Waiting> rest() {
    lock.lock();
    try {
      List<Waiting> rest = List.copyOf(waiting);
      waiting.clear();
      return rest;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread after the cycle that runs, and frees the records. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signal();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    segment.close();
  }

  /**
   * Answers one query from a snapshot on the calling thread, which may wait in the sink.
   *
   * @param snapshot the records
   */
  public static void read(Segment snapshot, Operation.Query query) {
    Join.run(snapshot, List.of(query), new Frequencies(), Costs.MEASURED);
  }
}
