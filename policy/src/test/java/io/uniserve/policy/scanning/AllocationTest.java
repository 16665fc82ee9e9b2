package io.uniserve.policy.scanning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of adaptive server allocation on a model client. */
class AllocationTest {
  private static ScannedClient client(long seed) {
    return new ScannedClient(AllocationSettings.DEFAULT, seed);
  }

  @Test
  void theStartAddsSlotsUntilTheRateStopsGrowing() {
    ScannedClient client = client(1);
    client.noise = 0;
    client.until(6);

    assertThat(client.desired).startsWith(1, 1).contains(2, 3, 4, 5).doesNotContain(6);
    assertThat(client.allocation.desired()).isEqualTo(4);
  }

  @Test
  void itSettlesWithinOneOfTheLeastThatSuffices() {
    double shares = 0;
    int cases = 200;
    for (int seed = 0; seed < cases; seed++) {
      Random random = new Random(seed);
      ScannedClient client = client(seed);
      client.perSlot = 50 + random.nextInt(400);
      client.clientRate = client.perSlot * (0.3 + 11.7 * random.nextDouble());
      client.until(300);
      int least = client.least();

      assertThat(client.shareWithin(30, 1, least - 2)).as("below, seed %d", seed).isLessThan(0.5);
      assertThat(client.shareWithin(30, least + 2, 99)).as("above, seed %d", seed).isLessThan(0.1);
      shares += client.shareWithin(30, least - 1, least + 1);
    }
    // The rest are probes of one less, most of them where one less is enough within the margin.
    assertThat(shares / cases).isGreaterThan(0.93);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.03})
  void theClientIsKeptBusy(double noise) {
    for (int seed = 0; seed < 50; seed++) {
      ScannedClient client = client(seed);
      client.noise = noise;
      client.clientRate = 250 + 2_500 * new Random(seed).nextDouble();
      client.work = client.clientRate * 100;
      client.until(1_000);

      assertThat(client.now()).as("seed %d, best 100 s", seed).isLessThan(110);
    }
  }

  @Test
  void withoutAMarginNoiseIsFollowed() {
    AllocationSettings strict = new AllocationSettings(1, 0.05, 100, 1 / 3.0, 1 / 3.0, 0, 16, 5);
    double with = 0;
    double without = 0;
    for (int seed = 0; seed < 50; seed++) {
      with += client(seed).until(300).shareWithin(30, 4, 4);
      without += new ScannedClient(strict, seed).until(300).shareWithin(30, 4, 4);
    }
    assertThat(without).isLessThan(with * 0.9);
  }

  @Test
  void itFollowsAClientThatBecomesSlowerAndFaster() {
    double slower = 0;
    double faster = 0;
    int cases = 40;
    for (int seed = 0; seed < cases; seed++) {
      ScannedClient client = client(seed);
      client.clientRate = 2_000;
      client.until(60);
      client.clientRate = 500;
      client.until(180);
      slower += client.shareWithin(120, 1, 4) / cases;
      client.clientRate = 2_000;
      client.until(360);
      faster += client.shareWithin(270, 7, 10) / cases;
    }
    assertThat(slower).isGreaterThan(0.85);
    assertThat(faster).isGreaterThan(0.85);
  }

  @Test
  void slotsThatAreNotGrantedTeachNothing() {
    ScannedClient client = client(3);
    client.clientRate = 5_000;
    client.granted = 3;
    client.until(120);
    assertThat(client.allocation.desired()).isBetween(3, 4);
    assertThat(client.shareWithin(10, 3, 4)).as("the rest are probes of 2").isGreaterThan(0.8);
    client.granted = Integer.MAX_VALUE;
    client.until(600);
    assertThat(client.shareWithin(400, 17, 22)).isGreaterThan(0.8);
  }

  @Test
  void aProbeIsGivenUpAfterItsPatience() {
    ScannedClient client = client(4);
    client.clientRate = 5_000;
    client.noise = 0;
    client.granted = 1;
    client.until(1.02);
    assertThat(client.allocation.desired()).isEqualTo(2);
    client.until(10);
    assertThat(client.desired).contains(1);

    ScannedClient patient = new ScannedClient(AllocationSettings.WHOLE_PARTITIONS, 4);
    patient.clientRate = 5_000;
    patient.granted = 1;
    patient.until(1_000);
    assertThat(patient.allocation.desired()).isEqualTo(2);
  }

  @Test
  void itNeverAsksForMoreThanPartitionsOrSlotsInReach() {
    ScannedClient client = client(5);
    client.clientRate = 5_000;
    client.reach = 6;
    client.until(60);
    assertThat(client.desired).allMatch(slots -> slots <= 6).contains(6);
    client.partitionsLeft = 2;
    client.until(70);
    assertThat(client.allocation.desired()).isEqualTo(2);
    client.partitionsLeft = 0;
    client.until(71);
    assertThat(client.allocation.desired()).isEqualTo(1);
  }

  @Test
  void itIsFrozenOnceNoPartitionWaits() {
    ScannedClient client = client(6);
    client.until(60);
    client.partitionsLeft = client.allocation.desired();
    client.until(66); // a probe that was under way ends
    int before = client.desired.size();
    int frozen = client.allocation.desired();
    client.clientRate = 250;
    client.until(200);
    assertThat(client.desired.subList(before, client.desired.size())).containsOnly(frozen);
  }

  @Test
  void aScanOfASecondAdaptsToo() {
    for (int seed = 0; seed < 20; seed++) {
      ScannedClient client = client(seed);
      client.clientRate = 2_000;
      client.noise = 0.02;
      client.delaySeconds = 0.001;
      client.work = 2_000;
      client.until(10);
      assertThat(client.now()).as("seed %d; one slot would take 8 s", seed).isLessThan(1.6);
    }
  }

  private static ScannedClient asking(long seed) {
    ScannedClient client = client(seed);
    client.asks = true;
    return client;
  }

  @Test
  void aClientThatAsksIsMatchedByDoubling() {
    ScannedClient client = asking(1);
    client.noise = 0;
    client.clientRate = 2_000;
    client.until(8);
    assertThat(client.desired.stream().distinct()).containsExactly(1, 2, 4, 8);
  }

  @Test
  void aClientThatAsksGetsNoMoreThanItCanUse() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      ScannedClient client = asking(seed);
      client.perSlot = 50 + random.nextInt(400);
      client.clientRate = client.perSlot * (0.3 + 11.7 * random.nextDouble());
      client.until(60);
      int least = client.least();
      assertThat(client.shareWithin(10, least - 1, least + 1)).as("seed %d", seed).isEqualTo(1);
    }
  }

  @Test
  void aScanOfSecondsTakesHardlyLongerThanWithTheBestNumberOfSlots() {
    for (int seed = 0; seed < 50; seed++) {
      ScannedClient client = asking(seed);
      client.clientRate = 2_000;
      client.delaySeconds = 0.02;
      client.work = 12_000;
      client.until(100);
      assertThat(client.now()).as("seed %d, best 6 s", seed).isLessThan(6.6);
    }
  }

  @Test
  void itFollowsAClientThatAsksAndBecomesSlowerAndFaster() {
    ScannedClient client = asking(7);
    client.clientRate = 2_000;
    client.until(60);
    client.clientRate = 500;
    client.until(180);
    client.clientRate = 2_000;
    client.until(300);
    assertThat(client.shareWithin(200, 8, 9)).isGreaterThan(0.95);
    client.clientRate = 500;
    client.until(400);
    assertThat(client.allocation.desired()).isBetween(2, 3);
  }

  @Test
  void serversThatGiveNoMoreAreNotAskedForMore() {
    double within = 0;
    int cases = 40;
    for (int seed = 0; seed < cases; seed++) {
      ScannedClient client = asking(seed);
      client.clientRate = 5_000;
      client.serversRate = 1_000;
      client.until(300);
      within += client.shareWithin(60, 3, 6) / cases;
      assertThat(client.shareWithin(60, 12, 99)).as("seed %d", seed).isLessThan(0.05);
    }
    assertThat(within).isGreaterThan(0.85);
  }

  @Test
  void aClientThatAsksDesiresWhatItCouldUseThoughItIsDenied() {
    ScannedClient client = asking(3);
    client.clientRate = 2_000;
    client.granted = 2;
    client.until(60);
    assertThat(client.allocation.desired()).isBetween(8, 9);
  }

  @Test
  void aClientThatHasDealtWithNothingYetSaysNothing() {
    assertThat(Pace.UNKNOWN.slotsSince(Pace.UNKNOWN)).isNaN();
    assertThat(new Pace(0, 9, 50, 2).slotsSince(Pace.UNKNOWN)).isNaN();
    assertThat(new Pace(100, 0, 50, 2).slotsSince(Pace.UNKNOWN)).isInfinite();
    assertThat(new Pace(100, 1, 50, 2).slotsSince(Pace.UNKNOWN)).isEqualTo(4);
  }

  @Test
  void theSameObservationsGiveTheSameSlots() {
    assertThat(client(9).until(200).desired).isEqualTo(client(9).until(200).desired);
  }

  @Test
  void settingsThatCannotWorkAreRefused() {
    assertThatThrownBy(() -> new AllocationSettings(1, 2, 100, 0.3, 0.3, 0.05, 16, 5))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("adaptive server allocation");
    assertThatThrownBy(() -> new AllocationSettings(1, 0.1, 100, 0.6, 0.6, 0.05, 16, 5))
        .hasMessageContaining("up 0.6, down 0.6");
    assertThatThrownBy(() -> new AllocationSettings(1, 0.1, 100, 0.3, 0.3, 1, 16, 5))
        .hasMessageContaining("margin 1.0");
    assertThatThrownBy(() -> new AllocationSettings(1, 0.1, 100, 0.3, 0.3, 0.1, 16, 0))
        .hasMessageContaining("patience 0.0");
  }
}
