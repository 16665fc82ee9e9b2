package io.uniserve.policy.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.policy.ScalingPolicy;
import io.uniserve.api.policy.ScalingView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
  private static final String WEEK =
      "schedule:mon-fri 08:00-18:00=6; fri,sat 22:00-06:00=4; 22:00-06:00=1; else=2";

  private static int at(String policy, String moment) {
    return decision(policy, moment).servers();
  }

  private static ScalingPolicy.Decision decision(String policy, String moment) {
    return ScalingPolicies.STANDARD
        .parse(policy)
        .decide(new ScalingView(Instant.parse(moment), 3, 1, 10, List.of(), Optional.empty()));
  }

  /** Checks times of the week; the second of March 2026 is a Monday. */
  @ParameterizedTest
  @CsvSource({
    "2026-03-02T07:59:59Z, 2",
    "2026-03-02T08:00:00Z, 6",
    "2026-03-02T17:59:59Z, 6",
    "2026-03-02T18:00:00Z, 2",
    "2026-03-02T23:00:00Z, 1",
    "2026-03-03T05:59:00Z, 1",
    "2026-03-03T06:00:00Z, 2",
    "2026-03-07T08:30:00Z, 2",
    "2026-03-06T23:00:00Z, 4",
    "2026-03-07T02:00:00Z, 4",
    "2026-03-08T02:00:00Z, 4",
    "2026-03-08T23:00:00Z, 1"
  })
  void hasASizeForEveryMoment(String moment, int size) {
    assertThat(at(WEEK, moment)).isEqualTo(size);
  }

  @Test
  void timesAreMeantInTheirZone() {
    String berlin = "schedule:08:00-18:00=6;else=2;zone=Europe/Berlin";
    assertThat(at(berlin, "2026-03-02T07:30:00Z")).isEqualTo(6);
    assertThat(at(berlin, "2026-07-01T06:30:00Z")).isEqualTo(6);
    assertThat(at(berlin, "2026-03-02T17:30:00Z")).isEqualTo(2);
  }

  @Test
  void saysWhichEntryIsInForce() {
    assertThat(decision(WEEK, "2026-03-02T12:00:00Z").reason()).contains("mon-fri 08:00-18:00=6");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "schedule:",
        "schedule:08:00-18:00=6",
        "schedule:else=0",
        "schedule:else=2;else=3",
        "schedule:8:00-18:00=6;else=2",
        "schedule:08:00-24:00=6;else=2",
        "schedule:08:00-08:00=6;else=2",
        "schedule:mon-tomorrow 08:00-18:00=6;else=2",
        "schedule:mon-wed-fri 08:00-18:00=6;else=2",
        "schedule:0 8 * * 1-5=6;else=2",
        "schedule:08:00-18:00=-1;else=2",
        "schedule:else=2;zone=Nowhere/City",
        "schedule:else=2;"
      })
  void refusesWhatItDoesNotUnderstand(String text) {
    assertThatThrownBy(() -> ScalingPolicies.STANDARD.parse(text))
        .isInstanceOf(io.uniserve.api.error.UniserveException.class)
        .hasMessageContaining("schedule");
  }
}
