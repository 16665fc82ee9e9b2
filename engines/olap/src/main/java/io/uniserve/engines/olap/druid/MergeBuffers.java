package io.uniserve.engines.olap.druid;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.druid.collections.BlockingPool;
import org.apache.druid.collections.ReferenceCountingResourceHolder;
import org.apache.druid.java.util.common.ISE;

/**
 * A pool of buffers outside the heap, in which grouped rows are merged. A query takes all that it
 * needs at once, and waits for them in turn until its timeout; so two queries never wait for each
 * other, and none fails because another one happens to run. A buffer is made when it is first
 * needed.
 *
 * @see QueryKinds why actors and clients have pools of their own
 */
final class MergeBuffers implements BlockingPool<ByteBuffer> {
  /** The size of a buffer. A merge that needs more goes on in files. */
  static final int SIZE_BYTES = 16 << 20;

  /** The number of buffers of a pool: the most that one query can hold. */
  static final int COUNT = 16;

  private static final long MILLIS_MAX = TimeUnit.HOURS.toMillis(1);

  private final Semaphore free = new Semaphore(COUNT, true);
  private final Queue<ByteBuffer> made = new ConcurrentLinkedQueue<>();
  private final AtomicLong waiting = new AtomicLong();

  @Override
  public int maxSize() {
    return COUNT;
  }

  @Override
  public List<ReferenceCountingResourceHolder<ByteBuffer>> takeBatch(int count, long millis) {
    if (count == 0) {
      return List.of();
    }
    waiting.incrementAndGet();
    try {
      if (!free.tryAcquire(count, millis, TimeUnit.MILLISECONDS)) {
        return List.of();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ISE(e, "interrupted while it waited for memory to merge in");
    } finally {
      waiting.decrementAndGet();
    }
    List<ReferenceCountingResourceHolder<ByteBuffer>> taken = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ByteBuffer kept = made.poll();
      ByteBuffer buffer = kept == null ? ByteBuffer.allocateDirect(SIZE_BYTES) : kept;
      taken.add(new ReferenceCountingResourceHolder<>(buffer, () -> giveBack(buffer)));
    }
    return taken;
  }

  private void giveBack(ByteBuffer buffer) {
    buffer.clear();
    made.add(buffer);
    free.release();
  }

  @Override
  public List<ReferenceCountingResourceHolder<ByteBuffer>> takeBatch(int count) {
    return takeBatch(count, MILLIS_MAX);
  }

  @Override
  public long getPendingRequests() {
    return waiting.get();
  }

  @Override
  public long getUsedResourcesCount() {
    return COUNT - free.availablePermits();
  }
}
