package io.uniserve.runtime.server.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowerProgressTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final CopyId ONE = new CopyId("s1", 1);
  private static final CopyId OTHER = new CopyId("s2", 2);

  private final SystemClock clock = new SystemClock();
  private final ProductionThreads threads = new ProductionThreads();
  private final AtomicInteger looks = new AtomicInteger();
  private ProductionEnvironment environment;
  private FollowerProgress progress;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    environment =
        new ProductionEnvironment(
            clock,
            threads,
            new FileStorage(directory),
            ProductionEnvironment.unseeded(),
            new InProcessNetwork(clock).attach(new Address("here")));
    progress = new FollowerProgress(environment, LONG);
  }

  @Test
  void anUpdateWaitsUntilAllItsFollowersHaveIt() throws Exception {
    LinkedBlockingQueue<Long> reached = new LinkedBlockingQueue<>();
    for (long sequence = 1; sequence <= 3; sequence++) {
      awaitOn(sequence, reached);
    }
    progress.applied(ONE, at(2));
    progress.applied(OTHER, at(1));
    assertThat(reached.poll(20, TimeUnit.SECONDS)).isEqualTo(1L);
    progress.applied(OTHER, at(3));
    assertThat(reached.poll(20, TimeUnit.SECONDS)).isEqualTo(2L);
    assertThat(reached).isEmpty();
    progress.applied(ONE, at(4));
    assertThat(reached.poll(20, TimeUnit.SECONDS)).isEqualTo(3L);
  }

  private void awaitOn(long sequence, LinkedBlockingQueue<Long> reached) {
    threads.start(
        "update",
        () -> {
          progress.await(() -> List.of(ONE, OTHER), at(sequence), Deadline.after(clock, LONG));
          reached.add(sequence);
        });
  }

  @Test
  void anUpdateLooksAgainWhoseFollowersHaveBecomeFewer() throws Exception {
    Set<CopyId> followers = ConcurrentHashMap.newKeySet();
    followers.add(ONE);
    LinkedBlockingQueue<Boolean> asked = new LinkedBlockingQueue<>();
    LinkedBlockingQueue<Boolean> reached = new LinkedBlockingQueue<>();
    threads.start(
        "update",
        () -> {
          progress.await(
              () -> {
                asked.add(true);
                return followers;
              },
              at(1),
              Deadline.after(clock, LONG));
          reached.add(true);
        });
    assertThat(asked.poll(20, TimeUnit.SECONDS)).isTrue();
    followers.clear();
    progress.reconsider();
    assertThat(reached.poll(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void anUpdateWaitsNoLongerThanItsDeadline() {
    assertThatThrownBy(
            () -> progress.await(() -> List.of(ONE), at(1), Deadline.after(clock, Duration.ZERO)))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("not by all copies");
  }

  @Test
  void aRequestLooksOnceAtTheNextChange() {
    progress.keep(ONE, looks::incrementAndGet);
    progress.applied(OTHER, at(1));
    assertThat(looks).as("another follower's progress is nothing new").hasValue(0);
    progress.changed();
    progress.changed();
    assertThat(looks).hasValue(1);
  }

  @Test
  void aRequestThatIsHurriedLooksOnce() {
    FollowerProgress.Request request = looks::incrementAndGet;
    progress.keep(ONE, request);
    progress.hurry(ONE, request);
    progress.hurry(ONE, request);
    progress.changed();
    assertThat(looks).hasValue(1);
  }

  @Test
  void aLaterRequestOfAFollowerTakesThePlaceOfTheFormer() {
    AtomicInteger later = new AtomicInteger();
    progress.keep(ONE, looks::incrementAndGet);
    progress.keep(ONE, later::incrementAndGet);
    assertThat(looks).hasValue(1);
    assertThat(later).hasValue(0);
    progress.changed();
    assertThat(later).hasValue(1);
  }

  @Test
  void aRequestLooksWhenItsTimeIsOver() throws Exception {
    FollowerProgress impatient = new FollowerProgress(environment, Duration.ofMillis(1));
    LinkedBlockingQueue<Integer> looked = new LinkedBlockingQueue<>();
    for (int i = 0; i < 3; i++) {
      int number = i;
      impatient.keep(ONE, () -> looked.add(number));
      assertThat(looked.poll(20, TimeUnit.SECONDS)).isEqualTo(number);
    }
  }

  private static Position at(long sequence) {
    return new Position(1, sequence);
  }
}
