package io.uniserve.policy.scanning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.policy.placement.search.SeededRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GrantPolicyTest {
  private static WaitingScan scan(long scan, double age, double idle, double priority) {
    return new WaitingScan(scan, age, idle, idle, priority);
  }

  private static long chosen(GrantPolicy policy, WaitingScan... waiting) {
    return policy.next(List.of(waiting), 0).orElseThrow().scan();
  }

  @Test
  void nobodyIsChosenOfNobody() {
    for (GrantPolicy policy : MakespansTest.policies()) {
      assertThat(policy.next(List.of(), 1)).as(policy.name()).isEmpty();
    }
  }

  @Test
  void firstComeGoesByArrival() {
    assertThat(chosen(new FirstCome(), scan(1, 5, 5, 1), scan(2, 9, 0, 4))).isEqualTo(2);
    assertThat(chosen(new FirstCome(), scan(4, 9, 5, 1), scan(3, 9, 0, 4))).isEqualTo(3);
  }

  @Test
  void chanceIsFairAndFollowsFromTheSeed() {
    List<WaitingScan> waiting = new ArrayList<>();
    for (int scan = 0; scan < 4; scan++) {
      waiting.add(scan(scan, scan, 0, 1));
    }
    int[] counts = new int[4];
    for (int decision = 0; decision < 8_000; decision++) {
      long chosen = new AnyScan(3).next(waiting, decision).orElseThrow().scan();
      counts[(int) chosen]++;
      Collections.shuffle(waiting, new Random(decision));
      assertThat(new AnyScan(3).next(waiting, decision).orElseThrow().scan()).isEqualTo(chosen);
    }
    for (int count : counts) {
      assertThat(count).isBetween(1_800, 2_200);
    }
  }

  @Test
  void roundRobinGoesByIdleTimeThenByTheLastGrant() {
    assertThat(chosen(new RoundRobin(), scan(1, 5, 2, 1), scan(2, 9, 1, 4))).isEqualTo(1);
    assertThat(
            chosen(
                new RoundRobin(), new WaitingScan(1, 50, 0, 3, 1), new WaitingScan(2, 9, 0, 4, 1)))
        .isEqualTo(2);
    assertThat(
            chosen(
                new RoundRobin(), new WaitingScan(1, 9, 0, 4, 1), new WaitingScan(2, 50, 0, 4, 1)))
        .isEqualTo(2);
  }

  @Test
  void withoutAlphaPriorityBiasIsRoundRobin() {
    SeededRandom random = new SeededRandom(1);
    for (int i = 0; i < 1_000; i++) {
      List<WaitingScan> waiting = new ArrayList<>();
      for (int scan = 0; scan < 5; scan++) {
        int idle = random.nextInt(4);
        waiting.add(
            new WaitingScan(scan, idle + random.nextInt(9), idle, idle, 1 + random.nextInt(4)));
      }
      assertThat(new PriorityBiased(0).next(waiting, i))
          .isEqualTo(new RoundRobin().next(waiting, i));
    }
  }

  @Test
  void anUrgentScanGoesFirstUntilAnotherHasBeenIdleForLong() {
    WaitingScan gold = scan(1, 1, 0, 1);
    assertThat(chosen(new PriorityBiased(2), gold, scan(2, 9, 3.87, 4))).isEqualTo(1);
    assertThat(chosen(new PriorityBiased(2), gold, scan(2, 9, 3.88, 4))).isEqualTo(2);
    assertThat(chosen(new PriorityBiased(10), gold, scan(2, 2_000, 1_023, 4))).isEqualTo(1);
    assertThat(chosen(new PriorityBiased(10), gold, scan(2, 2_000, 1_025, 4))).isEqualTo(2);
    assertThat(chosen(new PriorityBiased(-1), gold, scan(2, 9, 0, 4))).isEqualTo(2);
    assertThat(chosen(new PriorityBiased(1_000), gold, scan(2, 1e6, 1e6, 1e6))).isEqualTo(1);
  }

  @Test
  void beyondTheBoundTheLongestIdleGoesFirst() {
    GrantPolicy bounded = new IdleBound(new PriorityBiased(20), 60);
    WaitingScan gold = scan(1, 1, 0, 1);
    assertThat(chosen(bounded, gold, scan(2, 99, 60, 4))).isEqualTo(1);
    assertThat(chosen(bounded, gold, scan(2, 99, 61, 4))).isEqualTo(2);
    assertThat(chosen(bounded, gold, scan(2, 99, 61, 4), scan(3, 99, 62, 4))).isEqualTo(3);
    assertThat(bounded.name()).isEqualTo("pbrr");
  }

  @Test
  void nobodyStarvesBeyondTheBound() {
    int bound = 5;
    int starved = 0;
    for (int seed = 0; seed < 500; seed++) {
      UnitScans scans = UnitScans.random(seed);
      double[] priorities = new double[scans.jobs.length];
      for (int scan = 0; scan < priorities.length; scan++) {
        priorities[scan] = Math.pow(10, scan);
      }
      GrantPolicy severe = new PriorityBiased(20);
      starved += scans.run(severe, priorities).idleMost > bound + scans.jobs.length ? 1 : 0;
      assertThat(scans.run(new IdleBound(severe, bound), priorities).idleMost)
          .as("seed %d", seed)
          .isLessThanOrEqualTo(bound + scans.jobs.length);
    }
    assertThat(starved).as("seeds in which somebody starves without a bound").isPositive();
  }

  @Test
  void aScanThatWaitsGrowsOlder() {
    assertThat(new WaitingScan(1, 5, 2, 3, 4).after(10))
        .isEqualTo(new WaitingScan(1, 15, 12, 13, 4));
    assertThat(new WaitingScan(1, 5, 0, 3, 4).after(10))
        .isEqualTo(new WaitingScan(1, 15, 0, 13, 4));
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> scan(1, 1, 1, 0))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("priority value");
    assertThatThrownBy(() -> scan(1, -1, 0, 1)).hasMessageContaining("age");
    assertThatThrownBy(() -> scan(1, 1, Double.NaN, 1)).hasMessageContaining("idle time");
    assertThatThrownBy(() -> new PriorityBiased(Double.NaN)).hasMessageContaining("alpha");
    assertThatThrownBy(() -> new PriorityBiased(1, 0)).hasMessageContaining("C of a scan policy");
    assertThatThrownBy(() -> new IdleBound(new RoundRobin(), 0)).hasMessageContaining("bound");
  }
}
