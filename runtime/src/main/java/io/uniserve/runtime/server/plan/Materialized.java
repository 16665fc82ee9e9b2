package io.uniserve.runtime.server.plan;

import io.uniserve.api.Dataset;
import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Workers;
import io.uniserve.runtime.server.engine.Shared;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All datasets that plans have materialised on this server. */
final class Materialized {
  private static final Logger LOG = LoggerFactory.getLogger(Materialized.class);

  private final Workers workers;
  private final long bytesMax;
  private final AtomicInteger sets = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  Materialized(Workers workers, long bytesMax) {
    this.workers = workers;
    this.bytesMax = bytesMax;
  }

  int sets() {
    return sets.get();
  }

  long bytes() {
    return bytes.get();
  }

  /**
   * Checks that there is room for more datasets.
   *
   * @throws UniserveException with {@link ErrorCode#EXHAUSTED}
   */
  void requireRoom() {
    if (bytes.get() > bytesMax) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED,
          "materialised datasets of queries take " + bytes.get() + " bytes, at most " + bytesMax);
    }
  }

  /**
   * Counts datasets until they are closed.
   *
   * @param anchor the actor that they may read, which is released then
   */
  Shared<Output> hold(List<Dataset> made, Optional<PlanHost.ActorUse> anchor) {
    long memory = 0;
    for (Dataset set : made) {
      Usage usage = set.usage();
      memory += usage.memoryBytes();
    }
    long held = memory;
    sets.addAndGet(made.size());
    bytes.addAndGet(held);
    return new Shared<>(
        new Output.Datasets(made, anchor), () -> onWorker(() -> close(made, anchor, held)));
  }

  private void close(List<Dataset> made, Optional<PlanHost.ActorUse> anchor, long held) {
    close(made);
    anchor.ifPresent(PlanHost.ActorUse::close);
    sets.addAndGet(-made.size());
    bytes.addAndGet(-held);
  }

  /** Closes datasets. A failure to close is logged, since no caller can handle it. */
  static void close(List<Dataset> made) {
    for (Dataset set : made.reversed()) {
      try {
        set.close();
      } catch (RuntimeException | LinkageError e) {
        LOG.error("a dataset could not be closed", e);
      }
    }
  }

  /** Runs engine code on a worker, as long as there are any. */
  private void onWorker(Runnable task) {
    try {
      workers.submit(task);
    } catch (IllegalStateException e) {
      LOG.debug("the server ends: a query's data is closed at once", e);
      task.run();
    }
  }
}
