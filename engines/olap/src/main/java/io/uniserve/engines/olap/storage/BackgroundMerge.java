package io.uniserve.engines.olap.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A merge of segments that is computed while updates and queries go on. When it begins, and when
 * its segment takes the place of the others, follows from the updates alone; only how long it takes
 * does not, so an update may have to wait for it.
 */
final class BackgroundMerge {
  /** A process merges on one thread, and leaves the others to queries and updates. */
  private static final ExecutorService WORKER =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("merges of segments").factory());

  private final long number;
  private final List<StoredSegment> inputs;
  private final AtomicBoolean abandoned = new AtomicBoolean();
  private final CompletableFuture<StoredSegment> result;

  /**
   * Begins to merge.
   *
   * @param number the number of the segment that is made
   * @param inputs the segments that become one
   */
  BackgroundMerge(SegmentWriter writer, long number, List<StoredSegment> inputs) {
    this.number = number;
    this.inputs = List.copyOf(inputs);
    inputs.forEach(StoredSegment::use);
    result =
        CompletableFuture.supplyAsync(() -> merged(writer), WORKER)
            .whenComplete((made, failure) -> inputs.forEach(StoredSegment::release));
  }

  private StoredSegment merged(SegmentWriter writer) {
    if (abandoned.get()) {
      throw new IllegalStateException("the datasource is closed");
    }
    try {
      return writer.mergeAs(number, inputs);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long number() {
    return number;
  }

  List<StoredSegment> inputs() {
    return inputs;
  }

  /**
   * Waits for the segment.
   *
   * @throws IOException if it cannot be written
   */
  StoredSegment await() throws IOException {
    try {
      return result.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof UncheckedIOException failed
          ? failed.getCause()
          : new IOException("segments cannot be merged: " + e.getCause().getMessage(), e);
    }
  }

  /** Gives the merge up, and waits until nothing is written any more. */
  void abandon() {
    abandoned.set(true);
    try {
      await().release();
    } catch (IOException e) {
      System.getLogger(BackgroundMerge.class.getName())
          .log(System.Logger.Level.DEBUG, "a merge that was given up failed", e);
    }
  }
}
