package io.uniserve.bench.elasticity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LoadShapeTest {
  private static final LoadShape SHAPE = new LoadShape(240, 1_300, 480);

  @Test
  void risesAndFalls() {
    assertThat(SHAPE.perMinute(0)).isEqualTo(240);
    assertThat(SHAPE.perMinute(120)).isCloseTo(770, within(1e-6));
    assertThat(SHAPE.perMinute(240)).isEqualTo(1_300);
    assertThat(SHAPE.perMinute(360)).isCloseTo(770, within(1e-6));
    assertThat(SHAPE.perMinute(480)).isEqualTo(240);
    assertThat(SHAPE.next(240)).isCloseTo(240 + 60.0 / 1_300, within(1e-9));
  }

  private static ElasticityReport report(double delay, String failure) {
    List<Sent> sent = new ArrayList<>();
    for (double at = 0; at < SHAPE.seconds(); at = SHAPE.next(at)) {
      boolean odd = at > 200 && at < 260;
      sent.add(new Sent(at, at + (odd ? delay : 0.05), odd ? failure : ""));
    }
    return new ElasticityReport(SHAPE, sent, new TreeMap<>(java.util.Map.of(0.0, 1)), "a test");
  }

  @Test
  void aRunThatKeepsUpSaysSo() {
    ElasticityReport good = report(0.05, "");
    assertThat(good.keptUp()).isTrue();
    assertThat(good.failed()).isZero();
    assertThat(good.spikes()).isZero();
    assertThat(good.toString()).contains("kept up with");
  }

  @Test
  void aRunThatFallsBehindSaysSo() {
    ElasticityReport late = report(40, "");
    assertThat(late.keptUp()).isFalse();
    assertThat(late.spikes()).isGreaterThan(1_000);
    assertThat(late.toString()).contains("did not keep up with");
    ElasticityReport failed = report(0.05, "UNAVAILABLE");
    assertThat(failed.keptUp()).isFalse();
    assertThat(failed.failed()).isGreaterThan(1_000);
  }
}
