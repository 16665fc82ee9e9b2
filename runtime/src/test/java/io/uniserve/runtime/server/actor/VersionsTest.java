package io.uniserve.runtime.server.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Actor;
import io.uniserve.api.Usage;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.still.StillClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VersionsTest {
  private final StillClock clock = new StillClock();
  private final Versions versions = new Versions(clock);
  private final List<Long> closed = new ArrayList<>();

  @Test
  void givesTheNewestThatIsNoLaterThanWhatIsAskedFor() {
    add(3);
    add(7);
    assertThat(read(2)).isZero();
    assertThat(read(3)).isEqualTo(3);
    assertThat(read(6)).isEqualTo(3);
    assertThat(read(7)).isEqualTo(7);
    assertThat(read(100)).isEqualTo(7);
  }

  @Test
  void keepsTheNewestForEverAndWhatItReplacedForAWhile() {
    add(1);
    clock.advance(Versions.RETENTION.multipliedBy(3));
    add(2);
    clock.advance(Versions.RETENTION);
    versions.free();
    assertThat(read(1)).isEqualTo(1);
    clock.advance(Duration.ofNanos(1));
    versions.free();
    assertThat(closed).containsExactly(1L);
    assertThat(read(1)).isZero();
    assertThat(read(2)).isEqualTo(2);
  }

  @Test
  void letsTheOldestOfTooManyGo() {
    for (long version = 1; version <= Versions.COUNT_MAX; version++) {
      add(version);
    }
    assertThat(closed).isEmpty();
    add(Versions.COUNT_MAX + 1);
    assertThat(closed).containsExactly(1L);
    assertThat(read(2)).isEqualTo(2);
    versions.clear();
    for (long version = 1; version <= Versions.COUNT_MAX; version++) {
      add(1_000 + version);
    }
    assertThat(closed).hasSize(Versions.COUNT_MAX + 1);
  }

  @Test
  void closesWhatIsReadOnceItIsReadNoMore() {
    add(1);
    Shared<Actor> read = versions.acquire(1).orElseThrow();
    versions.clear();
    assertThat(versions.isEmpty()).isTrue();
    assertThat(closed).isEmpty();
    read.release();
    assertThat(closed).containsExactly(1L);
  }

  @Test
  void putsAReaderInThePlaceOfAnotherOfItsVersion() {
    add(1);
    add(5);
    add(5);
    assertThat(closed).containsExactly(5L);
    assertThat(read(5)).isEqualTo(5);
    assertThat(read(1)).isEqualTo(1);
  }

  private void add(long version) {
    versions.add(version, new Shared<>(new Reader(version), () -> closed.add(version)));
  }

  /** Returns the version of the reader that is given; 0 if there is none. */
  private long read(long version) {
    return versions
        .acquire(version)
        .map(
            reader -> {
              long of = ((Reader) reader.value()).version();
              reader.release();
              return of;
            })
        .orElse(0L);
  }

  private record Reader(long version) implements Actor {
    @Override
    public void serialize(Path directory) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Usage usage() {
      return Usage.NONE;
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }
}
