package io.uniserve.runtime.store;

import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Reads or writes many objects, a few at a time, since each waits for disk or network. */
final class Transfers {
  /** How many at a time. */
  private static final int LANES_MAX = 4;

  private Transfers() {}

  /**
   * Does something with every item, in about their order.
   *
   * @throws UniserveException the first failure; items that had not begun by then are left out
   */
  static <T> void forEach(Environment environment, List<T> items, Consumer<T> transfer) {
    if (items.size() == 1) {
      transfer.accept(items.getFirst());
    } else if (!items.isEmpty()) {
      new Run<>(environment, items, transfer).toTheEnd();
    }
  }

  private static final class Run<T> {
    private final Environment environment;
    private final List<T> items;
    private final Consumer<T> transfer;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger lanesLeft;
    private final Promise<Boolean> end;
    private volatile UniserveException failure;

    Run(Environment environment, List<T> items, Consumer<T> transfer) {
      this.environment = environment;
      this.items = items;
      this.transfer = transfer;
      lanesLeft = new AtomicInteger(Math.min(LANES_MAX, items.size()));
      end = new Promise<>(environment.threads());
    }

    void toTheEnd() {
      List<Thread> lanes = new ArrayList<>();
      for (int i = lanesLeft.get(); i > 0; i--) {
        lanes.add(environment.threads().start("transfer", this::lane));
      }
      try {
        end.await(Deadline.after(environment.clock(), Deadline.LONGEST), "transfers");
      } catch (UniserveException e) {
        failure = e;
        lanes.forEach(Thread::interrupt);
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
