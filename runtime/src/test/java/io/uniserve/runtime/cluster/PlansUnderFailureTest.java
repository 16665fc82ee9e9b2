package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.Source.Gathered;
import io.uniserve.api.Source.Mapped;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.cluster.TallyOperators.ByKey;
import io.uniserve.runtime.cluster.TallyOperators.FailingGather;
import io.uniserve.runtime.cluster.TallyOperators.FlakyScatter;
import io.uniserve.runtime.cluster.TallyOperators.ReadSheet;
import io.uniserve.runtime.cluster.TallyOperators.StuckMap;
import io.uniserve.runtime.cluster.TallyOperators.SumUp;
import io.uniserve.runtime.cluster.TallyOperators.Times;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The ends of plans of map, scatter and gather that meet a failure. */
class PlansUnderFailureTest extends OperatorsFixture {
  @Test
  void whatATaskGaveBeforeItFailedIsVoid() {
    Map<String, Long> expected = table("t", 4, 2, 40);
    Gathered gathered =
        gathered(List.of(scattered(Source.table("t"), new FlakyScatter())), new SumUp());
    Map<String, Long> sums = Map.of();
    for (int i = 0; i < 3 && !sums.containsKey("k1"); i++) {
      try {
        sums = new TreeMap<>(ask(gathered));
      } catch (UniserveException e) {
        // every copy fails once; after that, no query fails
        assertThat(e).hasMessageContaining("damaged");
      }
    }
    sums.remove("flaky");
    assertThat(sums).isEqualTo(expected);
  }

  @Test
  void aFailingOperatorFailsTheQuery() {
    table("t", 4, 1, 20);
    Gathered failing =
        gathered(List.of(scattered(Source.table("t"), new ByKey(1))), new FailingGather("k7"));
    assertThatThrownBy(() -> ask(failing))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("a defect of the gather");
  }

  @Test
  void anOperatorOfAnotherKindIsRefused() {
    table("t", 2, 1, 5);
    Source source = new Mapped(Source.table("missing"), new Times(2));
    assertThatThrownBy(() -> ask(source)).hasMessageContaining("missing");
  }

  @Test
  void aPlanThatLosesAServerBeginsAgain() {
    Map<String, Long> expected = table("t", 6, 2, 200);
    Source source =
        gathered(
            List.of(
                scattered(
                    gathered(
                        List.of(
                            scattered(new Mapped(Source.table("t"), new Times(1)), new ByKey(2))),
                        new SumUp()),
                    new ByKey(1))),
            new SumUp());
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicReference<Boolean> stop = new AtomicReference<>(false);
    Thread stream =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (!stop.get()) {
                      assertThat(ask(source)).isEqualTo(expected);
                    }
                  } catch (Throwable e) {
                    failure.set(e);
                  }
                });
    cluster.kill("s2");
    cluster.await(state -> !state.alive("s2"));
    stop.set(true);
    assertThatCode(stream::join).doesNotThrowAnyException();
    assertThat(failure.get()).isNull();
    assertThat(ask(source)).isEqualTo(expected);
  }

  @Test
  void theDeadlineEndsAPlanEverywhere() {
    table("t", 6, 1, 20);
    Source stuck = new Mapped(new Mapped(Source.table("t"), new Times(1)), new StuckMap(4));
    assertThatThrownBy(
            () ->
                cluster.client.query(
                    new Plan.Query<>(stuck, new ReadSheet(), TallyEngine.collecting()),
                    new QueryOptions(Duration.ofMillis(300))))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("deadline");
  }

  @Test
  void thePlanOfAClientThatDiesEndsEverywhere() throws Exception {
    table("t", 6, 1, 20);
    Source stuck = new Mapped(new Mapped(Source.table("t"), new Times(1)), new StuckMap(4));
    Thread asking =
        Thread.ofPlatform()
            .start(() -> assertThatThrownBy(() -> ask(stuck)).isInstanceOf(RuntimeException.class));
    cluster.await(state -> TallyOperators.OPEN.get() >= 6);
    assertThat(nothingOn(cluster.client.state().servers().values())).isFalse();
    Collection<ServerState> servers = cluster.client.state().servers().values();
    cluster.killClient();
    cluster.await(state -> nothingOn(servers));
    asking.join();
  }
}
