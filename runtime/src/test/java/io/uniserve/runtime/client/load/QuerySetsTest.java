package io.uniserve.runtime.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.kernel.Clock;
import io.uniserve.runtime.wire.LoadMessage;
import io.uniserve.runtime.wire.LoadMessage.SetFigures;
import io.uniserve.runtime.wire.LoadSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuerySetsTest {
  private final Hands clock = new Hands();
  private final QuerySets sets =
      new QuerySets(clock, new LoadSettings(Duration.ofSeconds(1), Duration.ofSeconds(8)));

  /** A clock that is moved by hand. */
  private static final class Hands implements Clock {
    private long nanos;

    void pass(Duration time) {
      nanos += time.toNanos();
    }

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public Instant now() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void sleep(Duration duration) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      throw new UnsupportedOperationException();
    }
  }

  private double perSecond(Integer... actors) {
    return sets.frequencies().sets().stream()
        .filter(set -> set.actors().equals(List.of(actors)))
        .mapToDouble(SetFigures::perSecond)
        .sum();
  }

  @Test
  void aSetHasTheFrequencyOfTheWindow() {
    for (int second = 0; second < 20; second++) {
      IntStream.range(0, 5).forEach(i -> sets.count(1, List.of(1, 2)));
      clock.pass(Duration.ofSeconds(1));
    }
    assertThat(perSecond(1, 2)).isCloseTo(5, within(0.01));
    clock.pass(Duration.ofSeconds(4));
    assertThat(perSecond(1, 2)).isBetween(1.5, 3.0);
    clock.pass(Duration.ofSeconds(5));
    assertThat(sets.frequencies().sets()).isEmpty();
  }

  @Test
  void theSameNumbersOfTwoTablesAreTwoSets() {
    sets.count(1, List.of(1, 2));
    sets.count(2, List.of(1, 2));
    assertThat(sets.frequencies().sets()).extracting(SetFigures::table).containsExactly(1L, 2L);
  }

  @Test
  void aSetThatBecomesPopularTakesThePlaceOfOneThatIsNot() {
    for (int i = 0; i < QuerySets.COUNTED_MAX; i++) {
      sets.count(1, List.of(i));
      sets.count(1, List.of(i));
    }
    for (int i = 0; i < 200; i++) {
      sets.count(1, List.of(-1, -2));
      sets.count(1, List.of(100_000 + i));
    }
    assertThat(perSecond(-1, -2) * 8).isGreaterThan(150);
    assertThat(sets.frequencies().sets()).hasSize(QuerySets.COUNTED_MAX);
    assertThat(sets.frequencies().othersPerSecond()).isPositive();
  }

  @Test
  void noQueryIsLostFromTheSum() {
    for (int i = 0; i < 5_000; i++) {
      sets.count(1, List.of(i % 1_700, 9_999));
    }
    double counted = sets.frequencies().sets().stream().mapToDouble(SetFigures::perSecond).sum();
    assertThat(counted + sets.frequencies().othersPerSecond()).isCloseTo(5_000, within(1e-6));
  }

  @Test
  void aSetOfTooManyActorsIsOneOfTheOthers() {
    sets.count(1, IntStream.rangeClosed(0, LoadMessage.SET_ACTORS_MAX).boxed().toList());
    assertThat(sets.frequencies().sets()).isEmpty();
    assertThat(sets.frequencies().othersPerSecond()).isPositive();
  }
}
