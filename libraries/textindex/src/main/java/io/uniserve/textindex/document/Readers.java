package io.uniserve.textindex.document;

import io.uniserve.textindex.schema.SearchSchema;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.ReaderManager;

/**
 * The newest reader of an index. Opening a newer one writes changes to files, which can take
 * seconds on a busy machine. It is done in the background, or by the thread that changes the index.
 * Only the first search after changes that nobody watched does it itself, so that an index which
 * nobody searches, as while a log is replayed, does not write files for each change. It is safe for
 * use by many threads.
 */
public final class Readers implements Closeable {
  /**
   * The background threads for all indexes of the process; they end when there is nothing to do.
   */
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
  private final long unwatchedNanos;

  /** Held while a change is made that readers must show wholly, and while changes are shown. */
  private final ReentrantLock showing = new ReentrantLock();

  /** True if the next reader must show changes that the newest does not. */
  private volatile boolean outdated;

  private long refreshedNanos = System.nanoTime();
  private long changes;
  private long changesSeen;
  private Future<?> due;
  private boolean closed;
  private volatile boolean watched;
  private volatile IOException failure;

  /** A change of the index. */
  @FunctionalInterface
  public interface Change {
    /** Makes the change. */
    void run() throws IOException;
  }

  /**
   * Opens the readers.
   *
   * @param schema the schema, which says how long a change may wait before it becomes visible
   */
  public Readers(IndexWriter writer, SearchSchema schema) throws IOException {
    readers = new ReaderManager(writer);
    intervalNanos = TimeUnit.MILLISECONDS.toNanos(schema.refreshIntervalMillis());
    unwatchedNanos = TimeUnit.MILLISECONDS.toNanos(schema.invisibleMillisMax());
  }

  /**
   * Returns the newest reader, which must be {@linkplain #release released}.
   *
   * @throws IOException if changes should be visible and cannot be made so
   */
  public DirectoryReader acquire() throws IOException {
    if (failure != null) {
      throw new IOException("changes cannot be made visible: " + failure.getMessage(), failure);
    }
    if (outdated) {
      showing.lock();
      try {
        if (outdated) {
          refresh();
        }
      } finally {
        showing.unlock();
      }
    }
    if (!watched) {
      watched = true;
    }
    return readers.acquire();
  }

  /** Releases a reader. */
  public void release(DirectoryReader reader) throws IOException {
    readers.release(reader);
  }

  /** Makes a change that readers show soon, perhaps not all of it at once. */
  public void change(Change change) throws IOException {
    if (intervalNanos == 0) {
      changeAtOnce(change);
    } else {
      change.run();
      schedule();
    }
  }

  /** Makes a change that every reader shows wholly which is acquired after the return. */
  public void changeAtOnce(Change change) throws IOException {
    showing.lock();
    try {
      change.run();
      outdated = true;
      if (watched) {
        watched = false;
        refresh();
      }
    } finally {
      showing.unlock();
    }
  }

  private synchronized void schedule() {
    changes++;
    if (due == null) {
      await(refreshedNanos + intervalNanos - System.nanoTime());
    }
  }

  private void await(long nanos) {
    changesSeen = changes;
    if (!closed) {
      due = BACKGROUND.schedule(this::refreshDue, Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }
  }

  private void refreshDue() {
    if (postponed()) {
      return;
    }
    try {
      refresh();
    } catch (IOException | RuntimeException e) {
      failure = e instanceof IOException known ? known : new IOException(e);
      schedule();
    }
  }

  /**
   * Returns whether the refresh is postponed. While changes keep coming and nobody searches, they
   * are collected into fewer, larger files. A change that comes after a refresh has begun waits for
   * the next.
   */
  private synchronized boolean postponed() {
    long now = System.nanoTime();
    boolean postponed = !watched && changes != changesSeen && now - refreshedNanos < unwatchedNanos;
    if (postponed) {
      await(intervalNanos);
    } else {
      due = null;
      watched = false;
      refreshedNanos = now;
    }
    return postponed;
  }

  /** Makes all changes visible. */
  public void refresh() throws IOException {
    showing.lock();
    try {
      readers.maybeRefreshBlocking();
      outdated = false;
      failure = null;
    } finally {
      showing.unlock();
    }
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
