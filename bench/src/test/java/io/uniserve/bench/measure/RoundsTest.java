package io.uniserve.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {

  private static final Duration WINDOW = Duration.ofMillis(3);
  private static final Duration NO_WARM_UP = Duration.ofMillis(1);

  private final List<String> turns = new ArrayList<>();

  @Test
  void contendersTakeTurnsInChangingOrderUntilEachHasItsWindows() {
    Map<String, Series> series = Rounds.measure(contenders(), plan(3, Double.MAX_VALUE));

    assertThat(turns).containsExactly("a", "b", "b", "a", "a", "b");
    assertThat(series.keySet()).containsExactly("a", "b");
    assertThat(series.get("b").accepted()).extracting(Window::round).containsExactly(0, 1, 2);
    assertThat(series.get("b").rejected()).isZero();
  }

  @Test
  void noisyWindowsAreThrownAwayAndTheRoundsEndNevertheless() {
    Map<String, Series> series = Rounds.measure(contenders(), plan(3, -1));

    assertThat(series.get("a").isEmpty()).isTrue();
    assertThat(series.get("a").rejected()).isEqualTo(5);
  }

  @Test
  void eachContenderFollowsEachOtherEquallyOften() {
    for (int contenders = 2; contenders <= 7; contenders++) {
      int rounds = contenders % 2 == 0 ? contenders : 2 * contenders;
      int[][] follows = new int[contenders][contenders];
      for (int round = 0; round < rounds; round++) {
        int[] order = Rounds.order(round, contenders);
        assertThat(order).doesNotHaveDuplicates().hasSize(contenders);
        for (int i = 1; i < contenders; i++) {
          follows[order[i]][order[i - 1]]++;
        }
      }
      for (int of = 0; of < contenders; of++) {
        for (int by = 0; by < contenders; by++) {
          assertThat(follows[of][by])
              .as("%d after %d of %d", of, by, contenders)
              .isEqualTo(of == by ? 0 : rounds / contenders);
        }
      }
    }
  }

  private List<Contender> contenders() {
    return List.of(contender("a"), contender("b"));
  }

  private Contender contender(String name) {
    return new Contender(name, ProcessHandle.current().pid(), time -> run(name, time));
  }

  private Latencies run(String name, Duration time) {
    if (time.equals(WINDOW)) {
      turns.add(name);
    }
    return Latencies.of(1, 2, 3);
  }

  private static MeasurePlan plan(int rounds, double foreignCoresMax) {
    return new MeasurePlan(WINDOW, rounds, 5, NO_WARM_UP, foreignCoresMax);
  }
}
