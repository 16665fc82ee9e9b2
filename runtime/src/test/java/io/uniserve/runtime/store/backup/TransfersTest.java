package io.uniserve.runtime.store.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.still.ProcessFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Objects that are read ahead of what is taken of them. */
@Timeout(60)
class TransfersTest {
  private static final int AT_A_TIME = 4;
  private static final List<Integer> ITEMS = IntStream.range(0, 40).boxed().toList();

  @TempDir Path directory;
  private final SystemClock clock = new SystemClock();
  private Transfers transfers;

  @BeforeEach
  void open() throws Exception {
    transfers =
        new Transfers(
            ProcessFixture.environment(
                clock, directory, new InProcessNetwork(clock).attach(new Address("server"))),
            AT_A_TIME);
  }

  @AfterEach
  void close() {
    transfers.close();
    clock.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void itemsAreTakenInTheirOrderWhicheverIsReadFirst() {
    CountDownLatch others = new CountDownLatch(AT_A_TIME - 1);
    List<Integer> taken = new ArrayList<>();
    Thread here = Thread.currentThread();
    transfers.inOrder(
        ITEMS,
        item -> {
          if (item == 0) {
            await(others); // so as many are read at once as there are threads
          } else {
            others.countDown();
          }
          return -item;
        },
        (item, read) -> {
          assertThat(Thread.currentThread()).isSameAs(here);
          assertThat(read).isEqualTo(-item);
          taken.add(item);
        });
    assertThat(taken).isEqualTo(ITEMS);
  }

  @Test
  void noMoreAreReadAheadThanThereAreThreads() {
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    transfers.inOrder(
        ITEMS,
        item -> {
          most.accumulateAndGet(item - taken.get() + 1, Math::max);
          return item;
        },
        (item, read) -> taken.incrementAndGet());
    assertThat(most.get()).isBetween(1, AT_A_TIME + 1); // one is being taken
  }

  @Test
  void aFailureComesOnceAllBeforeItAreTaken() {
    List<Integer> taken = new ArrayList<>();
    Set<Integer> read = Collections.newSetFromMap(new ConcurrentHashMap<>());
    assertThatThrownBy(
            () ->
                transfers.inOrder(
                    ITEMS,
                    item -> {
                      read.add(item);
                      if (item == 9 || item == 10) {
                        throw new UniserveException(ErrorCode.NOT_FOUND, "item " + item);
                      }
                      return item;
                    },
                    (item, same) -> taken.add(item)))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessageContaining("item 9");
    assertThat(taken).isEqualTo(ITEMS.subList(0, 9));
    assertThat(read).allMatch(item -> item < 9 + AT_A_TIME);
  }

  @Test
  void whatTakingThrowsEndsIt() {
    List<Integer> taken = new ArrayList<>();
    assertThatThrownBy(
            () ->
                transfers.inOrder(
                    ITEMS,
                    item -> item,
                    (item, same) -> {
                      taken.add(item);
                      throw UniserveException.invalid("not " + item);
                    }))
        .hasMessageContaining("not 0");
    assertThat(taken).containsExactly(0);
  }
}
