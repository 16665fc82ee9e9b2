package io.uniserve.kernel.production;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.kernel.Workers;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SharingThreadsTest {
  private final SharingThreads threads = new SharingThreads(new ProductionThreads());

  @Test
  void poolsOfOneNameAreOnePool() throws InterruptedException {
    try (Workers one = threads.workers("operators", 2);
        Workers other = threads.workers("operators", 2);
        Workers another = threads.workers("updates", 2)) {
      Set<String> names = ConcurrentHashMap.newKeySet();
      CountDownLatch ran = new CountDownLatch(300);
      for (int i = 0; i < 100; i++) {
        for (Workers workers : new Workers[] {one, other, another}) {
          workers.submit(
              () -> {
                names.add(Thread.currentThread().getName());
                ran.countDown();
              });
        }
      }
      assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(names.stream().filter(name -> name.startsWith("operators")).count())
          .isBetween(1L, 2L);
      assertThat(names.stream().filter(name -> name.startsWith("updates")).count())
          .isBetween(1L, 2L);
    }
  }

  @Test
  void aPoolServesWhoeverIsLeftAndEndsWithTheLast() throws InterruptedException {
    Workers one = threads.workers("operators", 1);
    Workers other = threads.workers("operators", 1);
    one.close();
    one.close();
    assertThatThrownBy(() -> one.submit(() -> {})).isInstanceOf(IllegalStateException.class);
    CountDownLatch ran = new CountDownLatch(1);
    other.submit(ran::countDown);
    assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
    other.close();
    CountDownLatch anew = new CountDownLatch(1);
    try (Workers next = threads.workers("operators", 1)) {
      next.submit(anew::countDown);
      assertThat(anew.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }
}
