package io.uniserve.api;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Iterator;

/**
 * A scan that gives the records of each actor in an order, so that those of all actors can be
 * merged.
 *
 * @param scan the scan; within a page, and from page to page, its records come in the order
 * @param reader the reader of its pages
 * @param order the order, in which no two records are equal
 * @param <T> the records
 */
public record SortedScanPlan<T>(ScanPlan scan, Reader<T> reader, Comparator<? super T> order) {
  /**
   * A reader of pages at the client.
   *
   * @param <T> the records
   */
  @FunctionalInterface
  public interface Reader<T> {
    /** Returns the records of a block, in order, each decoded when it is asked for. */
    Iterator<T> read(ByteBuffer block);
  }
}
