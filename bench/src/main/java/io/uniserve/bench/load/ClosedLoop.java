package io.uniserve.bench.load;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.measure.Latencies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * A closed loop of callers, each on a thread of its own. Each makes one call after another until
 * the time is over.
 */
public final class ClosedLoop {

  private ClosedLoop() {}

  /**
   * Runs callers that each make the calls in order, over and over; each begins at a different call.
   *
   * @param calls the number of different calls
   * @param callers the callers; each makes the call of a given index, on one thread
   * @return the latencies of all calls that began within the time, at least one of each caller
   * @throws BenchException if a call fails
   */
  public static Latencies run(int calls, List<? extends IntConsumer> callers, Duration time) {
    return run(calls, callers, Duration.ZERO, time);
  }

  /**
   * Runs the callers with a pause of each caller before each of its calls. The pause is not part of
   * a latency.
   */
  public static Latencies run(
      int calls, List<? extends IntConsumer> callers, Duration pause, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    try (ExecutorService threads = Executors.newFixedThreadPool(callers.size())) {
      List<Future<Latencies>> running = new ArrayList<>();
      for (int i = 0; i < callers.size(); i++) {
        IntConsumer caller = callers.get(i);
        int first = i * calls / callers.size();
        running.add(threads.submit(() -> loop(caller, first, calls, pause.toNanos(), end)));
      }
      List<Latencies> ended = new ArrayList<>();
      for (Future<Latencies> one : running) {
        ended.add(one.get());
      }
      return Latencies.of(Latencies.sorted(ended));
    } catch (ExecutionException e) {
      throw new BenchException("A call failed: " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while calls ran", e);
    }
  }

  private static Latencies loop(
      IntConsumer caller, int first, int calls, long pauseNanos, long end) {
    Latencies latencies = new Latencies();
    int call = first;
    long before = System.nanoTime();
    do {
      before = pause(before, pauseNanos);
      caller.accept(call);
      long after = System.nanoTime();
      latencies.add(after - before);
      before = after;
      call = call + 1 == calls ? 0 : call + 1;
    } while (before < end);
    return latencies;
  }

  /** Waits for a pause and returns the moment of its end. */
  private static long pause(long now, long nanos) {
    long over = now;
    while (over - now < nanos) {
      LockSupport.parkNanos(nanos - (over - now)); // the wait may return without a reason
      over = System.nanoTime();
    }
    return over;
  }
}
