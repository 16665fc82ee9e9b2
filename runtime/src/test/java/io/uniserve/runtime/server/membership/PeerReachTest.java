package io.uniserve.runtime.server.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.runtime.server.base.ServerSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The time after which a peer counts as out of reach, and for which its copies are kept from
 * following.
 */
class PeerReachTest {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final long PATIENCE_MILLIS = 1_000;

  private final PeerReach peer = new PeerReach(ServerSettings.forProcessors(1));

  @Test
  void whoIsHeardIsNotAskedAndWhoIsSilentIsAskedByOne() {
    assertThat(peer.beginsToAsk(false)).isFalse();
    assertThat(peer.beginsToAsk(true)).isTrue();
    assertThat(peer.beginsToAsk(true)).as("while it is asked").isFalse();
    peer.answered(nanos(10));
    assertThat(peer.beginsToAsk(false)).isFalse();
  }

  @Test
  void whoDoesNotAnswerIsAskedAgainUntilItDoes() {
    peer.beginsToAsk(true);
    peer.unanswered(nanos(0), nanos(400));
    assertThat(peer.beginsToAsk(false)).as("heard of by chance").isTrue();
    peer.answered(nanos(500));
    assertThat(peer.beginsToAsk(false)).isFalse();
  }

  @Test
  void oneAnswerThatIsLateIsNoLoss() {
    peer.unanswered(nanos(0), nanos(400));
    assertThat(peer.toBeReported(nanos(400), INTERVAL)).isFalse();
    peer.answered(nanos(500));
    peer.unanswered(nanos(1_000), nanos(1_400));
    assertThat(peer.toBeReported(nanos(1_400), INTERVAL)).isFalse();
  }

  @Test
  void whoIsLostIsReportedOnceAnIntervalUntilItAnswers() {
    lose(0);
    assertThat(peer.toBeReported(nanos(PATIENCE_MILLIS), INTERVAL)).isTrue();
    assertThat(peer.toBeReported(nanos(PATIENCE_MILLIS + 999), INTERVAL)).isFalse();
    assertThat(peer.toBeReported(nanos(PATIENCE_MILLIS + 1_000), INTERVAL)).isTrue();
    peer.answered(nanos(5_000));
    assertThat(peer.toBeReported(nanos(9_000), INTERVAL)).isFalse();
  }

  @Test
  void whoIsLostMayNotFollowAndMayAtOnceWhenItIsBack() {
    assertThat(peer.refused(nanos(0))).isFalse();
    lose(0);
    assertThat(peer.refused(nanos(1_000))).isTrue();
    peer.answered(nanos(2_000));
    assertThat(peer.refused(nanos(2_000))).isFalse();
  }

  @Test
  void whoIsLostAgainAndAgainIsKeptWaitingTwiceAsLongEachTime() {
    long at = 0;
    for (long heldMillis : new long[] {0, 2_000, 4_000, 8_000, 8_000}) {
      lose(at);
      peer.answered(nanos(at + 1_000));
      long again = at + 1_000;
      assertThat(peer.refused(nanos(again))).as("%d ms", heldMillis).isEqualTo(heldMillis > 0);
      assertThat(peer.refused(nanos(again + heldMillis))).as("%d ms", heldMillis).isFalse();
      assertThat(heldMillis == 0 || peer.refused(nanos(again + heldMillis - 1))).isTrue();
      at += 1_000 + heldMillis;
    }
    lose(at + 61_000);
    peer.answered(nanos(at + 62_000));
    assertThat(peer.refused(nanos(at + 62_000))).as("after a minute without a loss").isFalse();
  }

  private void lose(long atMillis) {
    assertThat(peer.unanswered(nanos(atMillis), nanos(atMillis + 400))).isFalse();
    assertThat(peer.unanswered(nanos(atMillis + 400), nanos(atMillis + PATIENCE_MILLIS))).isTrue();
  }

  private static long nanos(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }
}
