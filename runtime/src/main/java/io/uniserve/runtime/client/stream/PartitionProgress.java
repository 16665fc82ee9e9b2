package io.uniserve.runtime.client.stream;

import io.uniserve.runtime.wire.stream.StreamPartition;

/** The progress in one partition since a run began. Only for the run's own threads. */
final class PartitionProgress {
  private final int number;
  private final long begun;
  private long next;
  private long end;
  private long skipped;

  PartitionProgress(StreamPartition known) {
    number = known.number();
    begun = known.begun();
    next = known.next();
    end = known.end();
    skipped = known.skipped();
  }

  long next() {
    return next;
  }

  void looked(long newEnd) {
    end = Math.max(newEnd, next);
  }

  /** Notes that every record before an offset is done with. */
  void done(long offset) {
    next = Math.max(next, offset);
    end = Math.max(end, next);
  }

  void skippedOne() {
    skipped++;
  }

  StreamPartition state() {
    return new StreamPartition(number, begun, next, end, skipped);
  }
}
