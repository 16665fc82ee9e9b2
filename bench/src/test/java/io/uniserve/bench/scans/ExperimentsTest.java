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
    }
  }

  @Test
  void aClientThatTakesAllHasMoreThanHalfOfTheServers() {
    try (PacedTable table = new Conditions(directory, 80, true).table(new FirstCome())) {
      Crowd.Member fast =
          new Crowd.Member(0, 3, PARTITIONS, Optional.empty(), 4, Double.POSITIVE_INFINITY);
      Ended found = Crowd.run(table, 0.5, List.of(fast)).getFirst();
      assertThat(found.moments())
          .anySatisfy(moment -> assertThat(moment.desired()).isGreaterThan(PARTITIONS / 2 + 1));
    }
  }

  @Test
  void slotsThatAreHeldMakeOthersWait() {
    try (PacedTable table = new Conditions(directory, 400, true).table(new FirstCome())) {
      Crowd.Member slow =
          new Crowd.Member(0, 0, PARTITIONS, Optional.of(10), 4, BYTES / PARTITIONS / 0.3);
      Crowd.Member next = new Crowd.Member(0.1, 0, PARTITIONS, Optional.of(10), 4, 1e12);
      List<Ended> held = Crowd.runHolding(table, PARTITION_SECONDS, List.of(slow, next));
      assertThat(held.getFirst().seconds()).isGreaterThanOrEqualTo(2.5);
      assertThat(held.getLast().seconds()).isGreaterThan(1.5);
      List<Ended> pages = Crowd.run(table, PARTITION_SECONDS, List.of(slow, next));
      assertThat(pages.getLast().seconds()).isLessThan(pages.getFirst().seconds() / 1.5);
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
