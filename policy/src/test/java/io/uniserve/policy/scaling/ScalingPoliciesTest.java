package io.uniserve.policy.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.ScalingPolicy;
import io.uniserve.api.policy.ScalingView;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalingPoliciesTest {

  @Test
  void thePaceIsReadFromText() {
    ScalingPolicy policy =
        ScalingPolicies.STANDARD.parse(
            "utilisation:0.3-0.7,grow-after=2s,shrink-after=500ms,cool-down=0s");
    assertThat(new Plant(2, 1, 10).run(policy, 3, 1.9).size()).isEqualTo(4);
    assertThat(new Plant(4, 1, 10).run(policy, 2, 0.4).size()).isEqualTo(1);
  }

  @Test
  void aPolicyOfOnesOwnIsChosenByName() {
    ScalingPolicies policies = new ScalingPolicies(List.of(new Always()));
    assertThat(new Plant(2, 1, 10).run(policies.parse("own:seven"), 1, 0).size()).isEqualTo(7);
    assertThatThrownBy(() -> policies.parse("own:eight")).hasMessageContaining("[seven]");
    assertThatThrownBy(() -> new ScalingPolicies(List.of(new Always(), new Always())))
        .hasMessageContaining("seven");
  }

  private static final class Always implements ScalingPolicy {
    @Override
    public String name() {
      return "seven";
    }

    @Override
    public Decision decide(ScalingView cluster) {
      return new Decision(7, "always");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "best | no scaling policy 'best'",
        "utilisation:0.3 | utilisation:0.3-0.7",
        "utilisation:0.8-0.2 | lower < upper",
        "utilisation:0.3-0.7,grow-after=soon | 'soon'",
        "utilisation:0.3-0.7,speed=3s | 'speed'",
        "utilisation:0.3-0.7,cool-down=3s,cool-down=4s | twice",
        "utilisation:0.3-0.7,cool-down=48h | at most a day",
        "latency:fast | 'fast'",
        "latency:0ms | longer than 0",
        "own:mine | 'mine'"
      })
  void whatIsNotUnderstoodIsNamed(String text, String named) {
    assertThatThrownBy(() -> ScalingPolicies.STANDARD.parse(text))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining(named);
  }
}
