package io.uniserve.textindex.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatestTest {
  private final Latest<Made> latest = new Latest<>(4);

  private record Made(Object key, int number) {}

  private int made;

  private Made of(Object key) {
    return latest.of(key, kept -> kept.key == key, () -> new Made(key, made++));
  }

  @Test
  void keepsWhatWasMadeForAKeyAndNotForAnEqualOne() {
    String key = new String("query");
    assertThat(of(key)).isSameAs(of(key));
    assertThat(of(new String("query")).key).isNotSameAs(key);
  }

  @Test
  void makesAnewWhatDoesNotFit() {
    Object key = new Object();
    Made first = of(key);
    Made second = latest.of(key, kept -> false, () -> new Made(key, 7));
    assertThat(second).isNotSameAs(first);
    assertThat(of(key)).isSameAs(second);
  }

  @Test
  void keepsNoMoreThanItMay() {
    List<Object> keys = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      keys.add(new Object());
      assertThat(of(keys.getLast())).isSameAs(of(keys.getLast()));
    }
    int before = made;
    keys.forEach(this::of);
    assertThat(made - before).isGreaterThanOrEqualTo(96);
  }

  @Test
  void givesWhoeverMakesItLateWhatIsKept() {
    Object key = new Object();
    Made late =
        latest.of(
            key,
            kept -> kept.key == key,
            () -> {
              of(key);
              return new Made(key, -1);
            });
    assertThat(late.number).isZero();
    assertThat(of(key)).isSameAs(late);
  }
}
