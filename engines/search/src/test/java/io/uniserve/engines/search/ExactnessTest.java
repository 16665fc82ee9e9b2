package io.uniserve.engines.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.testkit.local.LocalTable;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.Cursor;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many actors answer what one index answers, document for document and score for score. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExactnessTest {
  private static final int[] ACTORS = {1, 3, 4, 7, 16};

  private final Map<Integer, LocalTable<SearchActor>> tables = new LinkedHashMap<>();
  private OneIndex one;

  @BeforeAll
  void load(@TempDir Path directory) throws IOException {
    List<Document> films = Films.all();
    one = new OneIndex(SearchPlanner.schema(Films.table(1)), films);
    for (int actors : ACTORS) {
      LocalTable<SearchActor> table =
          LocalTable.create(
              new SearchEngine(), Films.table(actors), directory.resolve("" + actors));
      tables.put(actors, table);
      for (int from = 0; from < films.size(); from += 500) {
        List<Document> some = films.subList(from, Math.min(from + 500, films.size()));
        table.update(new AddDocuments(), some);
      }
    }
  }

  @AfterAll
  void close() throws IOException {
    tables.values().forEach(LocalTable::close);
    one.close();
  }

  private SearchResult search(int actors, SearchRequest request) {
    return tables.get(actors).query(SearchPlanner.plan(Films.table(actors), request));
  }

  private static List<String> lines(SearchResult result) {
    return result.hits().stream().map(hit -> OneIndex.line(hit.id(), hit.score())).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "film",
        "the",
        "haakon",
        "blood",
        "submarine",
        "+he +1998",
        "+from +until",
        "+some -professor",
        "may about",
        "work language",
        "at haakon",
        "the of and film",
        "\"is a\"",
        "\"of the\"",
        "\"american comedy film\"",
        "\"of the\"~4",
        "\"directed film\"~6",
        "rower~1",
        "rower~2",
        "comedy~1",
        "filming~2",
        "ab~2",
        "film film~1",
        "+film +commedy~2 drama",
        "bet*",
        "th*e",
        "*ing",
        "/joh?n/",
        "title:war^3 film",
        "(title:love title:death)^2 AND extract:film",
        "war AND (love OR hate) AND NOT peace",
        "stemmed:wa* film",
        "title:[a TO c] film",
        "cast:\"john wayne\" western",
        "*:*",
        "nothinglikethis",
      })
  void wordsScoreAsInOneIndex(String text) throws Exception {
    Query query = one.words(text);
    List<String> expected = one.best(query, 60);
    for (int actors : ACTORS) {
      SearchRequest request = SearchRequest.of(text).with(Page.first(60));
      SearchResult found = search(actors, request);
      assertThat(lines(found)).as(text + " on " + actors).isEqualTo(expected);
      assertThat(found.total()).isEqualTo(one.count(query));
      assertThat(found.totalExact()).isTrue();
      SearchResult ids = search(actors, request.with(HitContents.ID_ONLY));
      assertThat(ids.total()).isEqualTo(found.total());
      assertThat(lines(ids)).as(text + " on " + actors + ", ids alone").isEqualTo(expected);
      assertThat(search(actors, request.with(Page.first(0))).total()).isEqualTo(found.total());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "year:1999",
        "year:[1980 TO 1989] AND film",
        "year:{1980 TO 1989}",
        "year:[* TO 1930} war",
        "year:[1990 TO *] -genres:Comedy love",
        "rating:[2.5 TO 3.75] film",
        "rating:{2.5 TO *}",
        "released:[1950-01-01 TO 1959-12-31T23:59:59Z] film",
        "released:1985-07-03",
        "genres:Western OR genres:Musical",
        "genres:\"Science Fiction\" robot",
        "genres:Western",
        "genres:W*",
        "extract:* film",
        "rating:* film",
        "-extract:*",
        "-film",
        "id:film-16522",
        "stemmed:running",
        "stemmed:submarines",
      })
  void typedFieldsMatchAsInOneIndex(String text) throws IOException {
    Query query = one.typed(QueryText.lucene(text));
    List<String> expected = one.best(query, 60);
    for (int actors : ACTORS) {
      SearchResult found = search(actors, SearchRequest.of(text).with(Page.first(60)));
      assertThat(lines(found)).as(text + " on " + actors).isEqualTo(expected);
      assertThat(found.total()).isEqualTo(one.count(query)).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"film", "\"of the\"~4", "love war", "comedy~2", "*:*"})
  void pagesFollowEachOther(String text) {
    for (int actors : ACTORS) {
      SearchRequest request = SearchRequest.of(text);
      List<String> whole = lines(search(actors, request.with(Page.first(400))));
      assertThat(byOffset(actors, request, whole.size())).as("offsets").isEqualTo(whole);
      assertThat(byCursor(actors, request, whole.size())).as("cursors").isEqualTo(whole);
    }
  }

  private List<String> byOffset(int actors, SearchRequest request, int end) {
    List<String> all = new ArrayList<>();
    for (int offset = 0; offset < end; offset += 37) {
      Page page = new Page(List.of(), offset, Math.min(37, end - offset), Optional.empty());
      SearchResult found = search(actors, request.with(page));
      assertThat(found.maxScore()).isPresent();
      all.addAll(lines(found));
    }
    return all;
  }

  private List<String> byCursor(int actors, SearchRequest request, int end) {
    List<String> all = new ArrayList<>();
    Page page = Page.first(41);
    while (all.size() < end) {
      SearchResult found = search(actors, request.with(page));
      all.addAll(lines(found));
      page = page.after(Cursor.of(found.next().orElseThrow().token()));
    }
    return all.subList(0, end);
  }
}
