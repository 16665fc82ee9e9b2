package io.uniserve.runtime.store.backup;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Workers;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The transfers of objects of many actors, a bounded number at a time, on threads of their own: to
 * copy and sum large files on light threads would hold up all other work on them.
 */
final class Transfers implements AutoCloseable {
  private final Environment environment;
  private final Workers workers;

  /**
   * @param atATime how many objects are read or written at a time
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
