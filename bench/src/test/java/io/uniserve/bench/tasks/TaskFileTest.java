package io.uniserve.bench.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.bench.RealData;
import io.uniserve.bench.base.BenchException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskFileTest {

  private static final String FILE = "queries/luceneutil_wikimedium.1M.tasks.gz";

  @Test
  void keepsKindsInOrderAndDropsFrequencies() {
    Map<String, List<SearchTask>> tasks =
        TaskFile.parse(
            "t",
            List.of(
                "# a comment",
                "",
                "HighPhrase: \"of the\" # freq=571791|890491|893062",
                "Fuzzy1: c#~1",
                "HighPhrase: \"in the\" # freq=1"));

    assertThat(tasks.keySet()).containsExactly("HighPhrase", "Fuzzy1");
    assertThat(tasks.get("HighPhrase"))
        .extracting(SearchTask::text)
        .containsExactly("\"of the\"", "\"in the\"");
    assertThat(tasks.get("Fuzzy1")).containsExactly(new SearchTask("Fuzzy1", "c#~1"));
  }

  @Test
  void namesTheLineThatIsWrong() {
    assertThatThrownBy(() -> TaskFile.parse("t.gz", List.of("HighTerm: a", "nothing")))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("t.gz:2");
    assertThatThrownBy(() -> TaskFile.parse("t.gz", List.of("HighTerm: # freq=3")))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("t.gz:1 has no query");
  }

  @Test
  void readsTheRealFile() {
    Map<String, List<SearchTask>> tasks = TaskFile.read(RealData.with(FILE).file(FILE));

    assertThat(tasks).hasSize(27);
    assertThat(tasks.values().stream().mapToInt(List::size).sum()).isEqualTo(11_236);
    assertThat(tasks.get("HighSloppyPhrase").getFirst().text()).isEqualTo("\"of the\"~4");
  }

  @Test
  void everyKindOfTheRealFileRunsOrIsListedAsLeftOut() {
    Map<String, List<SearchTask>> tasks = TaskFile.read(RealData.with(FILE).file(FILE));
    Workloads workloads = Workloads.of(tasks, 10);

    assertThat(workloads.leftOut().keySet())
        .containsExactlyInAnyOrder(
            "HighIntervalsOrdered", "MedIntervalsOrdered", "LowIntervalsOrdered", "Respell");
    assertThat(workloads.all()).hasSize(27 - 4 + 3);
    assertThat(workloads.all())
        .filteredOn(workload -> tasks.containsKey(workload.name()))
        .hasSize(27 - 4)
        .allSatisfy(workload -> assertThat(workload.queries()).hasSizeBetween(1, 10));
    assertThat(workloads.all())
        .filteredOn(Workload::name, "rare-term")
        .singleElement()
        .satisfies(rare -> assertThat(rare.queries()).hasSize(64).doesNotHaveDuplicates());
  }
}
