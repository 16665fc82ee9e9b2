package io.uniserve.engines.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Plan;
import io.uniserve.testkit.local.LocalTable;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchRequest.Statistics;
import io.uniserve.textindex.request.SearchResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that kept counts of an earlier search save a round and never make a score inexact. */
class KeptCountsTest {
  private static final String QUERY = "war peace~1";

  private LocalTable<SearchActor> table;

  @BeforeEach
  void create(@TempDir Path directory, TestInfo test) throws IOException {
    table = Texts.create(directory, test);
    add(0, 40, "war and peace");
  }

  @AfterEach
  void close() {
    table.close();
  }

  private void add(int from, int to, String text) {
    Texts.add(table, from, to, text);
  }

  private Plan<SearchResult> plan(Statistics statistics) {
    return SearchPlanner.plan(table.definition(), SearchRequest.of(QUERY).with(statistics));
  }

  private List<SearchResult.Hit> anew() {
    return table.query(plan(Statistics.GLOBAL_ANEW)).hits();
  }

  private static boolean searchesAtOnce(Plan<?> plan) {
    return plan instanceof Plan.Nested<?> nested
        && nested.subqueries().getFirst() instanceof Plan.Query<?, ?> first
        && first.retrieve() instanceof Search;
  }

  @Test
  void theSecondSearchForTheSameWordsNeedsNoCounting() {
    assertThat(searchesAtOnce(plan(Statistics.GLOBAL))).isFalse();
    List<SearchResult.Hit> first = table.query(plan(Statistics.GLOBAL)).hits();
    assertThat(searchesAtOnce(plan(Statistics.GLOBAL))).isTrue();
    assertThat(searchesAtOnce(plan(Statistics.GLOBAL_ANEW))).isFalse();
    assertThat(table.query(plan(Statistics.GLOBAL)).hits()).isEqualTo(first).hasSize(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"something else", "war", "peach", "war war war"})
  void whateverIsAddedAfterTheCountingIsInTheScores(String text) {
    List<SearchResult.Hit> before = table.query(plan(Statistics.GLOBAL)).hits();
    Plan<SearchResult> withOldCounts = plan(Statistics.GLOBAL);
    add(40, 41, text);
    List<SearchResult.Hit> exact = anew();
    assertThat(exact).isNotEqualTo(before);
    assertThat(searchesAtOnce(withOldCounts)).isTrue();
    assertThat(table.query(withOldCounts).hits()).isEqualTo(exact);
    assertThat(table.query(plan(Statistics.GLOBAL)).hits()).isEqualTo(exact);
  }

  @Test
  void noChangeMakesAScoreInexact() {
    Random random = new Random(7);
    String[] words = {"war", "peace", "peach", "place", "tea"};
    for (int step = 0; step < 60; step++) {
      Plan<SearchResult> plan = plan(Statistics.GLOBAL);
      int document = random.nextInt(60);
      if (random.nextInt(4) == 0) {
        table.update(new DeleteById(), List.of(new DocumentId("d" + document)));
      } else {
        add(document, document + 1, words[random.nextInt(5)] + " " + words[random.nextInt(5)]);
      }
      assertThat(table.query(plan).hits()).as("step " + step).isEqualTo(anew());
    }
  }
}
