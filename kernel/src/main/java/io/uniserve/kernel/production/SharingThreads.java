package io.uniserve.kernel.production;

import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Workers;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads of several processes that share a JVM and its processors. Pools of the same name are
 * one pool, which ends with its last user. More threads than processors would only evict each
 * other's data from the caches and hand small queries from thread to thread.
 */
public final class SharingThreads implements Threads {
  private final Threads threads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Pool> pools = new TreeMap<>();

  /**
   * Makes threads that can be shared.
   *
   * @param threads starts the shared threads
   */
  public SharingThreads(Threads threads) {
    this.threads = threads;
  }

  @Override
  public Thread start(String name, Runnable body) {
    return threads.start(name, body);
  }

  /** {@inheritDoc} The first to name a pool decides how many threads it has. */
  @Override
  public Workers workers(String name, int count) {
    lock.lock();
    try {
      Pool pool =
          pools.computeIfAbsent(name, absent -> new Pool(name, threads.workers(name, count)));
      pool.users++;
      return new Share(pool);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Signal signal() {
    return threads.signal();
  }

  @Override
  public long cpuNanos() {
    return threads.cpuNanos();
  }

  private void leave(Pool pool) {
    lock.lock();
    try {
      pool.users--;
      if (pool.users == 0) {
        pools.remove(pool.name);
        pool.workers.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A shared pool, guarded by the lock. */
  private static final class Pool {
    private final String name;
    private final Workers workers;
    private int users;

    Pool(String name, Workers workers) {
      this.name = name;
      this.workers = workers;
    }
  }

  /** The workers of one user of a pool. */
  private final class Share implements Workers {
    private final Pool pool;
    private volatile boolean closed;

    Share(Pool pool) {
      this.pool = pool;
    }

    @Override
    public void submit(Runnable task) {
      if (closed) {
        throw new IllegalStateException("the workers '" + pool.name + "' are closed");
      }
      pool.workers.submit(task);
    }

    @Override
    public boolean tryHere(Runnable task) {
      return !closed && pool.workers.tryHere(task);
    }

    @Override
    public int count() {
      return pool.workers.count();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        leave(pool);
      }
    }
  }
}
