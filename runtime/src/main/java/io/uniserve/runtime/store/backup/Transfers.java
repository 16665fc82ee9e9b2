package io.uniserve.runtime.store.backup;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Workers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The transfers of objects of many actors, a bounded number at a time, on threads of their own: to
 * copy and sum large files on light threads would hold up all other work on them.
 */
final class Transfers implements AutoCloseable {
  private final Environment environment;
  private final Workers workers;

  /**
   * @param atATime the number of objects that are read or written at a time
   */
  Transfers(Environment environment, int atATime) {
    this.environment = environment;
    this.workers = environment.threads().workers("transfers", atATime);
  }

  /**
   * Runs an action on every item, in about their order.
   *
   * @throws UniserveException the first failure; items that had not begun by then are left out
   */
  <T> void forEach(List<T> items, Consumer<T> transfer) {
    if (!items.isEmpty()) {
      new Run<>(items, transfer).toTheEnd();
    }
  }

  /**
   * Reads items ahead, and has each taken on this thread, in their order. As many are read or wait
   * to be taken as there are threads.
   *
   * @throws UniserveException what reading or taking one throws, once all before it are taken;
   *     items that had not begun by then are left out
   */
  <T, R> void inOrder(List<T> items, Function<T, R> read, BiConsumer<T, R> take) {
    Deque<Promise<R>> ahead = new ArrayDeque<>();
    AtomicBoolean over = new AtomicBoolean();
    int begun = 0;
    try {
      for (T item : items) {
        while (begun < items.size() && ahead.size() < workers.count()) {
          ahead.add(begin(items.get(begun++), read, over));
        }
        take.accept(
            item,
            ahead
                .remove()
                .await(Deadline.after(environment.clock(), Deadline.LONGEST), "transfers"));
      }
    } finally {
      over.set(true);
    }
  }

  private <T, R> Promise<R> begin(T item, Function<T, R> read, AtomicBoolean over) {
    Promise<R> promise = new Promise<>(environment.threads());
    workers.submit(
        () -> {
          if (over.get()) {
            return; // nobody waits for it any more
          }
          try {
            promise.complete(read.apply(item));
          } catch (RuntimeException e) {
            promise.fail(UniserveException.of(e));
          }
        });
    return promise;
  }

  @Override
  public void close() {
    workers.close();
  }

  private final class Run<T> {
    private final List<T> items;
    private final Consumer<T> transfer;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger lanesLeft;
    private final Promise<Boolean> end = new Promise<>(environment.threads());
    private volatile UniserveException failure;

    Run(List<T> items, Consumer<T> transfer) {
      this.items = items;
      this.transfer = transfer;
      lanesLeft = new AtomicInteger(Math.min(workers.count(), items.size()));
    }

    void toTheEnd() {
      for (int i = lanesLeft.get(); i > 0; i--) {
        workers.submit(this::lane);
      }
      try {
        end.await(Deadline.after(environment.clock(), Deadline.LONGEST), "transfers");
      } catch (UniserveException e) {
        failure = e;
      }
      if (failure != null) {
        throw failure;
      }
    }

    private void lane() {
      try {
        for (int i = next.getAndIncrement();
            i < items.size() && failure == null;
            i = next.getAndIncrement()) {
          transfer.accept(items.get(i));
        }
      } catch (RuntimeException e) {
        failure = UniserveException.of(e);
      } finally {
        if (lanesLeft.decrementAndGet() == 0) {
          end.complete(true);
        }
      }
    }
  }
}
