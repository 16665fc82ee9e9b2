package io.uniserve.node.rpc;

import io.uniserve.node.access.Caller;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The threads that continue the work of a call, for its caller. They are platform threads, since
 * engines compute on them. Each call has at most a few, so the limit of calls is theirs, too.
 */
final class CallerThreads extends AbstractExecutorService {
  private final ExecutorService threads;

  CallerThreads(String name) {
    threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().name(name, 0).factory());
  }

  @Override
  public void execute(Runnable work) {
    Caller caller = Caller.current();
    threads.execute(() -> caller.run(work::run));
  }

  @Override
  public void shutdown() {
    threads.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return threads.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return threads.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return threads.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return threads.awaitTermination(timeout, unit);
  }
}
