package io.uniserve.runtime.client.scan;

import io.uniserve.api.SortedScanPlan;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.SortedScan;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.wire.cluster.TableState;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * A scan at its client that merges the sorted pages of all parts. A record is given once each part
 * that has not ended has one here. A part that comes of a split begins where the other was read to,
 * so it is waited for once the pages of the other have been given.
 */
public final class SortedRun<T> implements SortedScan<T> {
  /** The bytes of all pages of a scan, as far as the least size of a page allows. */
  private static final int BYTES_MAX = 32 << 20;

  /** The pages of a part that are kept: one that is being given, and one ahead. */
  private static final int PAGES_EACH = 2;

  private static final int PAGE_BYTES_LEAST = 64 << 10;
  private static final int PAGE_BYTES_MOST = 2 << 20;

  private final SortedScanPlan<T> plan;
  private final ScanRun run;
  private final PriorityQueue<Head> heads;
  private final Set<ScanPart> having = new LinkedHashSet<>();
  private boolean lacking = true;
  private long found;

  /**
   * Begins a scan; throws as {@link ScanRun#ScanRun} does.
   *
   * @param options the options, whose slots and sizes mean nothing here
   */
  public SortedRun(ClientContext client, SortedScanPlan<T> plan, ScanOptions options) {
    this.plan = plan;
    this.heads =
        new PriorityQueue<>(
            Comparator.comparing((Head head) -> head.first, (a, b) -> plan.order().compare(a, b)));
    this.run = ScanRun.sorted(client, plan.scan(), sized(options, parts(client)));
  }

  private int parts(ClientContext client) {
    TableState table = client.state().requireTable(plan.scan().table());
    Partitioner partitioner = table.definition().partitioner();
    return Math.max(1, partitioner.actorsOf(plan.scan().keys()).size());
  }

  /** Returns options with pages of such a size, and with as many slots as there are parts. */
  private static ScanOptions sized(ScanOptions options, int parts) {
    int each =
        Math.clamp(BYTES_MAX / ((long) PAGES_EACH * parts), PAGE_BYTES_LEAST, PAGE_BYTES_MOST);
    return options.withSlots(ScanOptions.SLOTS_MAX).withSizes(each, Long.MAX_VALUE);
  }

  /** The records of a part that are here. */
  private final class Head {
    private final ScanPart part;
    private final Deque<ByteBuffer> blocks;
    private Iterator<T> records;
    private T first;

    Head(ScanPart part, List<ByteBuffer> blocks) {
      this.part = part;
      this.blocks = new ArrayDeque<>(blocks);
      this.records = List.<T>of().iterator();
    }

    /** Goes to the next record; returns false if there is none. */
    boolean advance() {
      while (!records.hasNext()) {
        if (blocks.isEmpty()) {
          return false;
        }
        records = plan.reader().read(blocks.remove());
      }
      first = records.next();
      return true;
    }
  }

  /** Waits until every part that has not ended has a record here. */
  private void fill() {
    while (lacking) {
      List<ScanBuffer.Arrived> pages = run.takeOfOthers(having);
      lacking = !pages.isEmpty();
      for (ScanBuffer.Arrived arrived : pages) {
        found += arrived.first() ? arrived.page().total() : 0;
        Head head = new Head(arrived.part(), arrived.page().blocks());
        if (head.advance()) {
          having.add(head.part);
          heads.add(head);
        }
      }
    }
  }

  @Override
  public long found() {
    fill();
    return found;
  }

  @Override
  public boolean isReady() {
    return !lacking;
  }

  @Override
  public boolean hasNext() {
    fill();
    return !heads.isEmpty();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the scan has ended");
    }
    Head least = heads.remove();
    T record = least.first;
    if (least.advance()) {
      heads.add(least);
    } else {
      having.remove(least.part);
      lacking = true;
    }
    return record;
  }

  @Override
  public void close() {
    run.close();
  }
}
