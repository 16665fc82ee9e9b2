package io.uniserve.bench.scans;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A scan of partitions of equal records, each of which takes a fixed time.
 *
 * @param records the number of records of a partition
 * @param recordBytes the size of each
 * @param nanosEach the time that it takes to read one
 */
public record ReadPaced(int records, int recordBytes, long nanosEach)
    implements Operator.Scan<PacedEngine.Paced> {
  @Override
  public ScanPage page(PacedEngine.Paced partition, ScanFrom from, OperatorContext context) {
    int first = from.place().map(place -> place.duplicate().getInt()).orElse(0);
    int most = Math.max(1, from.bytesMax() / recordBytes);
    int count = Math.min(records - first, most);
    Pause.nanos(count * nanosEach);
    context.checkCancelled();
    int next = first + count;
    return new ScanPage(
        List.of(ByteBuffer.allocate(count * recordBytes)),
        count,
        next == records ? Optional.empty() : Optional.of(ByteBuffer.allocate(4).putInt(0, next)),
        count,
        records);
  }
}
