package io.uniserve.engines.sharedscan.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.data.Chunk;
import io.uniserve.engines.sharedscan.data.Segment;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of who takes part in a cycle, and for how long. */
@Timeout(60)
class ScannerTest {
  private static final int CHUNKS = 4;

  private final TableSchema schema =
      TableSchema.of(Map.of("columns", Map.of("id", "bigint not null"), "partitionBy", "id"));

  private Scanner scanner;

  @BeforeEach
  void start() {
    Segment segment = new Segment(schema);
    segment.addAll(
        LongStream.range(0, (long) CHUNKS * Chunk.SLOTS)
            .mapToObj(id -> new Object[] {id})
            .toList());
    scanner = new Scanner("test", segment);
  }

  @AfterEach
  void stop() {
    scanner.close();
  }

  /** A sink whose caller is gone once it has a record. */
  private static final class Impatient implements Sink {
    private int taken;

    @Override
    public void take(Chunk chunk, int slot) {
      taken++;
    }

    @Override
    public boolean wantsMore() {
      return taken == 0;
    }
  }

  private static io.uniserve.engines.sharedscan.scan.Test all() {
    return new io.uniserve.engines.sharedscan.scan.Test.Between(0, 0L, true, null, false);
  }

  @Test
  void aQueryForWhichNobodyWaitsLeavesTheBatch() {
    Impatient sink = new Impatient();
    Scanner.result(scanner.submit(List.of(new Operation.Query(List.of(all()), sink))));
    assertThat(sink.taken).isBetween(1, Chunk.SLOTS);
  }

  @Test
  void aQueryWithoutTheTimeOfTwoCyclesIsRefusedAtOnceAndMayBeSentAgain() {
    Scanner.result(scanner.submit(List.of(new Operation.Query(List.of(all()), new Impatient()))));
    Operation.Query late = new Operation.Query(List.of(all()), new Impatient());
    assertThatThrownBy(() -> scanner.submit(late, Duration.ZERO))
        .isInstanceOfSatisfying(
            UniserveException.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(ErrorCode.OVERLOADED);
              assertThat(refusal.retryable()).isTrue();
            })
        .hasMessageContaining("try again later");
    Scanner.result(scanner.submit(late, Duration.ofMinutes(1)));
  }

  @Test
  void anUpdateIsNeverRefusedForLackOfTime() {
    for (int i = 0; i < 3; i++) {
      Operation.Change change = Operation.Change.deletion(List.of(all()));
      Scanner.result(scanner.submit(List.of(change)));
      assertThat(change.changed()).isEqualTo(i == 0 ? (long) CHUNKS * Chunk.SLOTS : 0);
    }
  }
}
