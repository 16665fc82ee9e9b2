package io.uniserve.bench.scans;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A scan as in the paper: a server holds its slot until the client has consumed a whole partition,
 * which it sends as fast as both can. Here the client's pace is kept at the servers, by a {@link
 * SharedRate} that they all find in the process.
 *
 * @param records the number of records of a partition
 * @param recordBytes the size of each
 * @param nanosEach the time that it takes to read one
 * @param client the number of the client's rate
 */
public record ReadHeld(int records, int recordBytes, long nanosEach, long client)
    implements Operator.Scan<PacedEngine.Paced> {
  /** The records that are read and sent together. */
  private static final int TOGETHER = 10;

  @Override
  public ScanPage page(PacedEngine.Paced partition, ScanFrom from, OperatorContext context) {
    SharedRate rate = SharedRate.of(client);
    long readNanos = System.nanoTime();
    for (int first = 0; first < records; first += TOGETHER) {
      int count = Math.min(TOGETHER, records - first);
      readNanos = Math.max(readNanos, System.nanoTime()) + count * nanosEach;
      Pause.nanos(readNanos - System.nanoTime());
      rate.take(count * recordBytes);
      context.checkCancelled();
    }
    return new ScanPage(
        List.of(ByteBuffer.allocate(records * recordBytes)),
        records,
        Optional.empty(),
        records,
        records);
  }
}
