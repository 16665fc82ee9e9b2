package io.uniserve.engines.search;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.ReaderManager;

/**
 * The newest reader of an index. Making a newer one writes what was changed to files, which can
 * take seconds on a busy machine: it is done in the background, or by whoever changes the index,
 * never by those who search.
 */
final class Readers implements Closeable {
  /** For all indexes of the process; its threads end when there is nothing to do. */
  private static final ScheduledThreadPoolExecutor BACKGROUND =
      new ScheduledThreadPoolExecutor(
          Runtime.getRuntime().availableProcessors(),
          Thread.ofPlatform().daemon().name("search-refresh-", 0).factory());

  static {
    BACKGROUND.setKeepAliveTime(10, TimeUnit.SECONDS);
    BACKGROUND.allowCoreThreadTimeOut(true);
    BACKGROUND.setRemoveOnCancelPolicy(true);
  }

  private final ReaderManager readers;
  private final long intervalNanos;
  private long refreshedNanos = System.nanoTime();
  private Future<?> due;
  private boolean closed;
  private volatile IOException failure;

  /**
   * @param intervalMillis how long a change may wait before it is made visible; 0 for not at all
   */
  Readers(IndexWriter writer, long intervalMillis) throws IOException {
    readers = new ReaderManager(writer);
    intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
  }

  /**
   * The newest reader, for whoever {@linkplain #release gives it back}.
   *
   * @throws IOException if there are changes that should be visible and cannot be made so
   */
  DirectoryReader acquire() throws IOException {
    if (failure != null) {
      throw new IOException("changes cannot be made visible: " + failure.getMessage(), failure);
    }
    return readers.acquire();
  }

  void release(DirectoryReader reader) throws IOException {
    readers.release(reader);
  }

  /** The index was changed: that is visible on return, or soon. */
  void changed() throws IOException {
    if (intervalNanos == 0) {
      refresh();
    } else {
      schedule();
    }
  }

  private synchronized void schedule() {
    if (due == null && !closed) {
      long wait = refreshedNanos + intervalNanos - System.nanoTime();
      due = BACKGROUND.schedule(this::refreshDue, Math.max(0, wait), TimeUnit.NANOSECONDS);
    }
  }

  private void refreshDue() {
    begin();
    try {
      refresh();
    } catch (IOException | RuntimeException e) {
      failure = e instanceof IOException known ? known : new IOException(e);
      schedule();
    }
  }

  /** A change that comes from now on is made visible by the next refresh. */
  private synchronized void begin() {
    due = null;
    refreshedNanos = System.nanoTime();
  }

  /** Makes everything that was changed visible. */
  void refresh() throws IOException {
    readers.maybeRefreshBlocking();
    failure = null;
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
      if (due != null) {
        due.cancel(false);
      }
    }
    readers.close();
  }
}
