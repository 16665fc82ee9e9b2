package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Plan;
import io.uniserve.api.PlanProfile.StageProfile;
import io.uniserve.api.PlanProfile.TaskProfile;
import io.uniserve.api.Source;
import io.uniserve.api.Source.Gathered;
import io.uniserve.api.Source.Mapped;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.Coverage;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.plan.Explained;
import io.uniserve.runtime.cluster.TallyOperators.ByKey;
import io.uniserve.runtime.cluster.TallyOperators.Homes;
import io.uniserve.runtime.cluster.TallyOperators.ReadSheet;
import io.uniserve.runtime.cluster.TallyOperators.SumUp;
import io.uniserve.runtime.cluster.TallyOperators.Times;
import io.uniserve.runtime.cluster.TallyOperators.ToEach;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The answers of plans of map, scatter and gather. */
class OperatorsTest extends OperatorsFixture {
  @Test
  void scatteredPiecesMeetByAttribute() {
    Map<String, Long> sums = table("t", 6, 2, 500);
    assertThat(ask(gathered(List.of(scattered(Source.table("t"), new ByKey(3))), new SumUp())))
        .isEqualTo(sums);
  }

  @Test
  void twoTablesMeetByAttribute() {
    Map<String, Long> expected = table("t", 6, 2, 100);
    table("u", 4, 1, 40).forEach((key, sum) -> expected.merge(key, sum, Long::sum));
    assertThat(
            ask(
                gathered(
                    List.of(
                        scattered(Source.table("t"), new ByKey(1)),
                        scattered(Source.table("u"), new ByKey(2))),
                    new SumUp())))
        .isEqualTo(expected);
  }

  @Test
  void chunksMoveToTheAnchorWhichStays() {
    Map<String, Long> expected = table("t", 6, 2, 100);
    Map<String, Long> anchored = table("u", 4, 2, 40);
    expected.replaceAll((key, sum) -> sum + anchored.getOrDefault(key, 0L));
    Gathered gathered =
        new Gathered(
            List.of(scattered(Source.table("t"), new ByKey(1))),
            Optional.of(Source.table("u")),
            new SumUp());
    assertThat(ask(gathered)).isEqualTo(expected);
  }

  @Test
  void aBroadcastReachesEachActorOfTheAnchorWhereItIs() {
    table("t", 3, 1, 10);
    table("u", 5, 1, 1000);
    List<PartitionKey> oneOfEach = List.copyOf(new Partitioner.Hash(5).keyOfEach().values());
    Gathered gathered =
        new Gathered(
            List.of(scattered(Source.table("t"), new ToEach(oneOfEach))),
            Optional.of(Source.table("u")),
            new SumUp());
    assertThat(ask(gathered)).containsExactly(Map.entry("total", 5 * 45L));
    Map<String, Long> homes =
        cluster.client.query(
            new Plan.Query<>(gathered, new Homes(), TallyEngine.collecting()),
            QueryOptions.DEFAULT);
    assertThat(homes).hasSize(5);
    assertThat(homes.values()).allMatch(count -> count == 1);
  }

  @Test
  void actorsThatTheKeysOfTheAnchorLeaveOutAreSpared() {
    table("t", 3, 1, 10);
    table("u", 5, 1, 1000);
    Source.Table anchor = Source.table("u", Keys.of(PartitionKey.of("k3")));
    Gathered gathered =
        new Gathered(
            List.of(scattered(Source.table("t"), new ByKey(1))), Optional.of(anchor), new SumUp());
    assertThat(ask(gathered)).containsEntry("k3", 6L).hasSizeLessThan(10);
    Source.Table none = Source.table("u", Keys.of());
    assertThat(
            ask(
                new Gathered(
                    List.of(scattered(Source.table("t"), new ByKey(1))),
                    Optional.of(none),
                    new SumUp())))
        .isEmpty();
  }

  @Test
  void aSourceThatStandsTwiceIsComputedOnce() {
    Map<String, Long> expected = table("t", 4, 1, 50);
    expected.replaceAll((key, sum) -> sum * 2 * 3 + sum * 2 * 5);
    Source twice = new Mapped(Source.table("t"), new Times(2));
    Source both =
        gathered(
            List.of(
                scattered(new Mapped(twice, new Times(3)), new ByKey(1)),
                scattered(new Mapped(twice, new Times(5)), new ByKey(1))),
            new SumUp());
    assertThat(ask(both)).isEqualTo(expected);
    assertThat(TallyOperators.MAPS.get()).isEqualTo(3 * 4);
  }

  @Test
  void aPlanMayBeDeep() {
    Map<String, Long> expected = table("t", 2, 1, 5);
    Source source = Source.table("t");
    for (int i = 0; i < 100; i++) {
      source = new Mapped(source, new Times(1));
    }
    for (int i = 0; i < 30; i++) {
      source = gathered(List.of(scattered(source, new ByKey(2))), new SumUp());
    }
    assertThat(ask(source)).isEqualTo(expected);
  }

  @Test
  void manyAttributesAndOneThatHasEverything() {
    Map<String, Long> expected = table("t", 4, 1, 5_000);
    Source many = gathered(List.of(scattered(Source.table("t"), new ByKey(4))), new SumUp());
    assertThat(ask(many)).isEqualTo(expected);
    Source one =
        gathered(
            List.of(scattered(many, new ToEach(List.of(PartitionKey.of("all"))))), new SumUp());
    assertThat(ask(one)).containsExactly(Map.entry("total", 5_000L * 4_999 / 2));
  }

  @Test
  void nothingScatteredIsNothingGathered() {
    table("t", 4, 1, 0);
    assertThat(ask(gathered(List.of(scattered(Source.table("t"), new ByKey(1))), new SumUp())))
        .isEmpty();
  }

  @Test
  void anAnswerThatMayLackSomethingSaysThatItLacksNothing() {
    Map<String, Long> expected = table("t", 6, 2, 20);
    table("u", 4, 1, 0);
    Gathered gathered =
        new Gathered(
            List.of(scattered(Source.table("t"), new ByKey(1))),
            Optional.of(Source.table("u")),
            new SumUp());
    PartialAnswer<Map<String, Long>> answer =
        cluster.client.queryPartially(
            new Plan.Query<>(gathered, new ReadSheet(), TallyEngine.collecting()),
            QueryOptions.DEFAULT);
    assertThat(answer.result()).isEqualTo(expected);
    assertThat(answer.coverage()).isEqualTo(new Coverage(10, List.of()));
  }

  @Test
  void aPlanIsExplained() {
    Map<String, Long> expected = table("t", 6, 2, 200);
    table("u", 4, 1, 0);
    Gathered gathered =
        new Gathered(
            List.of(scattered(new Mapped(Source.table("t"), new Times(1)), new ByKey(2))),
            Optional.of(Source.table("u")),
            new SumUp());
    Plan<Map<String, Long>> plan =
        new Plan.Query<>(gathered, new ReadSheet(), TallyEngine.collecting());
    assertThat(cluster.client.queries().explain(plan))
        .isEqualTo(
            """
            0  map Times[factor=1] of table 't', 6 of 6 actors
            1  scatter ByKey[pieces=2] of stage 0
            2  gather SumUp[] of stage 1, at table 'u'
            3  retrieve ReadSheet[] of stage 2, and combine
            """);
    Explained<Map<String, Long>> explained =
        cluster.client.queries().queryExplained(plan, QueryOptions.DEFAULT);
    assertThat(explained.result()).isEqualTo(expected);
    List<StageProfile> stages = explained.plans().getFirst().stages();
    assertThat(stages).extracting(stage -> stage.tasks().size()).containsExactly(6, 6, 4, 4);
    assertThat(stages.get(1).tasks()).extracting(TaskProfile::chunks).allMatch(count -> count > 0);
    assertThat(stages.get(2).tasks().stream().mapToLong(TaskProfile::chunks).sum()).isEqualTo(400);
    assertThat(stages.get(2).tasks().stream().mapToLong(TaskProfile::bytes).sum())
        .isEqualTo(stages.get(1).tasks().stream().mapToLong(TaskProfile::bytes).sum());
    assertThat(stages.get(2).tasks().stream().mapToInt(TaskProfile::datasets).sum()).isEqualTo(200);
    assertThat(explained.text()).contains("chunks at actor 3 on s");
    assertThat(
            cluster
                .client
                .queries()
                .queryExplained(
                    Plan.query("t", new ReadSheet(), TallyEngine.collecting()),
                    QueryOptions.DEFAULT)
                .plans()
                .getFirst()
                .stages()
                .getFirst()
                .tasks())
        .hasSize(6);
  }
}
