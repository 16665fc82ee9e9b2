package io.uniserve.runtime.control.reshape;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.still.StillClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReshapeTurnsTest {
  private static final ActorId ACTOR = new ActorId(1, 0);
  private static final Duration MOMENT = Duration.ofNanos(1);

  private final StillClock clock = new StillClock();
  private final ReshapeTurns turns = new ReshapeTurns(clock);

  @Test
  void anAttemptThatWasMadeLeavesAGapForWhatWaitedForIt() {
    assertThat(turns.free()).isTrue();
    turns.begin(ACTOR);
    assertThat(turns.free()).isFalse();
    turns.end();
    assertFreeAfter(Duration.ofMillis(100));
  }

  @Test
  void afterOneThatCameToNothingThereIsAPause() {
    turns.begin(ACTOR);
    turns.end();
    turns.failed(ACTOR);
    assertFreeAfter(Duration.ofSeconds(1));
  }

  private void assertFreeAfter(Duration pause) {
    clock.advance(pause.minus(MOMENT));
    assertThat(turns.free()).isFalse();
    clock.advance(MOMENT);
    assertThat(turns.free()).isTrue();
  }
}
