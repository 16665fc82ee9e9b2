package io.uniserve.engines.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.textindex.BoundRequest;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.query.WordStatistics;
import io.uniserve.textindex.query.WordStatistics.Count;
import io.uniserve.textindex.query.WordStatistics.Word;
import io.uniserve.textindex.request.Facet;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.schema.SearchSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A search is brief if it reads the documents of few words, and nothing else. */
class BrevityTest {
  private static final SearchSchema SCHEMA =
      SearchSchema.of(
          "table 't'",
          Map.of(
              "defaultField",
              "text",
              "fields",
              Map.of(
                  "text",
                  Map.of("type", "text"),
                  "kind",
                  Map.of("type", "keyword"),
                  "year",
                  Map.of("type", "long"))));
  private static final WordStatistics COUNTED =
      new WordStatistics(
          Map.of(),
          Map.of(
              new Word("text", "rare"), new Count(10, 12),
              new Word("text", "scarce"), new Count(20, 20),
              new Word("text", "common"), new Count(100_000, 300_000)),
          Map.of());

  private static boolean brief(SearchRequest request) {
    BoundRequest bound = BoundRequest.of(SCHEMA, request);
    return new Brevity(bound, CountWords.of(bound)).of(COUNTED);
  }

  private static SearchRequest request(String query) {
    return SearchRequest.of(query).with(HitContents.ID_ONLY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rare | true",
        "rare scarce absent | true",
        "+rare +scarce^2 | true",
        "\"rare scarce\"~3 | true",
        "common | false",
        "rare common | false",
        "+rare +common | false",
        "rare -kind:[a TO c] | false",
        "rare AND year:[1920 TO 1930] | false",
        "rare scar* | false",
        "rare scarse~1 | false",
        "rare *:* | false",
      })
  void dependsOnWhatIsRead(String query, boolean expected) {
    assertThat(brief(request(query))).isEqualTo(expected);
  }

  @Test
  void filtersFacetsAndManyFieldsAreNot() {
    assertThat(brief(request("rare").with(List.of(QueryText.lucene("kind:a"))))).isFalse();
    assertThat(brief(request("rare").with(Facet.of("kind")))).isFalse();
    HitContents stored = new HitContents(List.of("text"), Optional.empty(), true);
    assertThat(brief(request("rare").with(stored))).isTrue();
    assertThat(brief(request("rare scarce").with(stored))).isFalse();
  }
}
