package io.uniserve.backends.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of the division of a process's memory among its databases. */
@Timeout(60)
class MemoryBudgetTest {
  private final MemoryBudget budget = new MemoryBudget(512, Duration.ofMillis(50));

  private record Database(MemoryBudget.Member member, AtomicLong limit) {}

  private Database open() {
    AtomicLong limit = new AtomicLong();
    return new Database(
        budget.open(
            megabytes -> {
              limit.set(megabytes);
              return true;
            }),
        limit);
  }

  @Test
  void oneDatabaseHasAllThatActorsMayHave() {
    Database only = open();
    try (MemoryBudget.Use _ = only.member.forQuery()) {
      assertThat(only.limit).hasValue(256);
    }
    assertThat(budget.clientMegabytes()).isEqualTo(256);
  }

  @Test
  void aLoneStatementHasEnoughThoughIdleDatabasesFreeNothing() {
    AtomicLong held = new AtomicLong();
    MemoryBudget.Member holder =
        budget.open(
            megabytes -> {
              if (megabytes < held.get()) {
                return false;
              }
              held.set(megabytes);
              return true;
            });
    holder.forQuery().close();
    assertThat(held).hasValue(256);
    Database other = open();
    try (MemoryBudget.Use _ = other.member.forQuery()) {
      assertThat(other.limit).hasValueGreaterThanOrEqualTo(32);
    }
  }

  @Test
  void fewHaveEqualParts() {
    Database one = open();
    one.member.forQuery().close();
    Database other = open();
    for (int i = 0; i < 3; i++) {
      one.member.forQuery().close();
      other.member.forQuery().close();
    }
    assertThat(one.limit).hasValue(128);
    assertThat(other.limit).hasValue(128);
  }

  @Test
  void ofManyThoseHaveItThatRunStatements() {
    List<Database> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      all.add(open());
    }
    for (int round = 0; round < 3; round++) {
      for (Database each : all) {
        try (MemoryBudget.Use _ = each.member.forQuery()) {
          assertThat(each.limit.get()).isGreaterThanOrEqualTo(48);
          assertThat(budget.given()).isLessThanOrEqualTo(256 + 40);
        }
      }
    }
  }

  @Test
  void whoFindsNoneWaitsAndIsRefusedIfThatTakesLong() throws Exception {
    List<Database> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(open());
    }
    List<MemoryBudget.Use> uses = new ArrayList<>();
    assertThatThrownBy(() -> all.forEach(each -> uses.add(each.member.forQuery())))
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED);
              assertThat(e.retryable()).isTrue();
            })
        .hasMessageContaining("512 MiB");
    assertThat(uses).hasSizeBetween(2, 4);

    CountDownLatch changed = new CountDownLatch(1);
    Thread change =
        Thread.ofPlatform()
            .start(
                () -> {
                  all.getLast().member.forChange().close();
                  changed.countDown();
                });
    uses.forEach(MemoryBudget.Use::close);
    changed.await();
    change.join();
  }

  @Test
  void aDatabaseThatIsClosedHasNothing() {
    Database one = open();
    one.member.forQuery().close();
    one.member.close();
    assertThat(budget.given()).isZero();
  }
}
