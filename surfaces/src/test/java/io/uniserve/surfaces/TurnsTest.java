package io.uniserve.surfaces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TurnsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private static Turns turns(int waiting, long bytes, Duration patience) {
    return new Turns("updates", new Turns.Bounds(1, waiting, bytes, patience));
  }

  private static CompletableFuture<Void> run(Runnable body) {
    return CompletableFuture.runAsync(body, task -> Thread.ofVirtual().start(task));
  }

  private static void awaitWaiting(Turns turns, int count) {
    while (turns.waiting() < count) {
      Thread.onSpinWait();
    }
  }

  private static void assertOverloaded(Turns turns, long bytes, String why) {
    assertThatThrownBy(() -> turns.take(bytes))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED))
        .hasMessage("1 updates are being carried out, and " + why);
  }

  @Test
  void thoseThatWaitGetTheirTurn() throws Exception {
    Turns turns = turns(10, 100, LONG);
    List<Integer> order = new CopyOnWriteArrayList<>();
    Turns.Turn first = turns.take(0);
    CompletableFuture<?>[] waiting = new CompletableFuture<?>[5];
    for (int i = 0; i < waiting.length; i++) {
      int number = i;
      waiting[i] =
          run(
              () -> {
                try (Turns.Turn _ = turns.take(20)) {
                  order.add(number);
                }
              });
      awaitWaiting(turns, i + 1);
    }
    assertThat(order).isEmpty();

    first.close();

    CompletableFuture.allOf(waiting).get(1, TimeUnit.MINUTES);
    assertThat(order).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
    assertThat(turns.waiting()).isZero();
  }

  @Test
  void whoWaitsIsBoundedInNumberBytesAndTime() throws Exception {
    Turns turns = turns(1, 100, LONG);
    Turns.Turn first = turns.take(1_000);
    assertOverloaded(turns, 101, "those that wait have more than 100 bytes");
    CompletableFuture<Void> second = run(() -> turns.take(100).close());
    awaitWaiting(turns, 1);
    assertOverloaded(turns, 0, "1 others wait");
    first.close();
    second.get(1, TimeUnit.MINUTES);
    turns.take(0).close();

    Turns impatient = turns(1, 100, Duration.ofMillis(1));
    try (Turns.Turn _ = impatient.take(0)) {
      assertOverloaded(impatient, 0, "none of them ended within 1 ms");
    }
    impatient.take(0).close();
  }
}
