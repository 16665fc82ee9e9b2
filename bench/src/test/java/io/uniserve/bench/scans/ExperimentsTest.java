package io.uniserve.bench.scans;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.bench.scans.PacedClient.Ended;
import io.uniserve.policy.scanning.FirstCome;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ExperimentsTest {
  private static final double PARTITION_SECONDS = 0.1;
  private static final int PARTITIONS = 10;
  private static final double BYTES =
      PARTITIONS * (double) PacedTable.records(PARTITION_SECONDS) * PacedTable.RECORD_BYTES;

  @TempDir private Path directory;

  @Test
  void aScanTakesAsLongAsItsServersOrItsClientNeed() {
    Conditions conditions = new Conditions(directory, 400, true);
    assertThat(conditions.partitionSeconds()).isEqualTo(PARTITION_SECONDS);
    try (PacedTable table = conditions.table(new FirstCome())) {
      Ended bySlot = scan(table, Optional.of(1), Double.POSITIVE_INFINITY);
      assertThat(bySlot.seconds()).isGreaterThanOrEqualTo(PARTITIONS * PARTITION_SECONDS);
      assertThat(bySlot.firstSeconds()).isLessThan(bySlot.seconds());
      Ended byClient = scan(table, Optional.of(10), BYTES / 1.5);
      assertThat(byClient.seconds()).isGreaterThanOrEqualTo(1.5);
      Ended found = scan(table, Optional.empty(), Double.POSITIVE_INFINITY);
      assertThat(found.moments())
          .anySatisfy(moment -> assertThat(moment.desired()).isGreaterThan(1));
    }
  }

  private static Ended scan(PacedTable table, Optional<Integer> slots, double bytesPerSecond) {
    return Crowd.run(
            table,
            PARTITION_SECONDS,
            List.of(new Crowd.Member(0, 3, PARTITIONS, slots, 4, bytesPerSecond)))
        .getFirst();
  }
}
