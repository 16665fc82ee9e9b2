package io.uniserve.kernel.production;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdaptiveSpinTest {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  private final AtomicInteger looks = new AtomicInteger();

  @BeforeEach
  void needsASecondProcessor() {
    assumeThat(PROCESSORS).isGreaterThan(1);
  }

  /** Waits for a value that comes at the given look. */
  private Integer await(int comesAt, long expectedNanos) {
    return AdaptiveSpin.await(
        () -> looks.incrementAndGet() >= comesAt ? looks.get() : null, expectedNanos);
  }

  @Test
  void waitsForAMomentWhateverIsExpected() {
    assertThat(await(100, Long.MAX_VALUE)).isEqualTo(100);
  }

  @Test
  void givesUpAfterAMomentIfItIsNotExpectedSoon() {
    assertThat(await(Integer.MAX_VALUE, AdaptiveSpin.SOON_NANOS + 1)).isNull();
    assertThat(looks).hasValue(200);
  }

  @Test
  void waitsLongerForWhatIsExpectedSoonButNotForEver() {
    long began = System.nanoTime();
    assertThat(await(Integer.MAX_VALUE, AdaptiveSpin.SOON_NANOS)).isNull();
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(AdaptiveSpin.SOON_NANOS);
  }

  @Test
  void takesNoProcessorFromThoseThatCompute() {
    for (int i = 0; i < PROCESSORS; i++) {
      AdaptiveSpin.computes();
    }
    try {
      assertThat(await(Integer.MAX_VALUE, 0)).isNull();
      assertThat(looks).hasValue(200);
    } finally {
      for (int i = 0; i < PROCESSORS; i++) {
        AdaptiveSpin.computed();
      }
    }
  }
}
