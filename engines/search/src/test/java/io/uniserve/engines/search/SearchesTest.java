package io.uniserve.engines.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.testkit.local.LocalContext;
import io.uniserve.testkit.local.LocalTable;
import io.uniserve.textindex.document.Highlighting;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.Cursor;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchResult;
import io.uniserve.textindex.request.SearchResult.Hit;
import io.uniserve.textindex.schema.SortKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Order, contents, limits and errors of searches over three actors. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SearchesTest {
  private final List<Document> films = Films.all();
  private final Map<String, Document> byId =
      films.stream().collect(Collectors.toMap(Document::id, film -> film));
  private LocalTable<SearchActor> table;

  @BeforeAll
  void load(@TempDir Path directory) throws IOException {
    table = LocalTable.create(new SearchEngine(), Films.table(3), directory);
    table.update(new AddDocuments(), films);
  }

  @AfterAll
  void close() {
    table.close();
  }

  private SearchResult search(SearchRequest request) {
    return table.query(SearchPlanner.plan(table.definition(), request));
  }

  private static List<String> ids(SearchResult result) {
    return result.hits().stream().map(Hit::id).toList();
  }

  private List<String> sorted(Comparator<Document> order) {
    return films.stream().sorted(order.thenComparing(Document::id)).map(Document::id).toList();
  }

  private static <T extends Comparable<T>> Comparator<Document> missingLast(
      String field, Class<T> type, boolean down) {
    Comparator<T> values = down ? Comparator.reverseOrder() : Comparator.naturalOrder();
    return Comparator.comparing(
        film -> type.cast(film.fields().get(field)), Comparator.nullsLast(values));
  }

  @Test
  void hitsAreSortedByFields() {
    assertThat(ids(all(new SortKey("year", false))))
        .isEqualTo(sorted(missingLast("year", Long.class, false)));
    assertThat(ids(all(new SortKey("rating", true))))
        .isEqualTo(sorted(missingLast("rating", Double.class, true)));
    assertThat(ids(all(new SortKey("rating", false))))
        .isEqualTo(sorted(missingLast("rating", Double.class, false)));
    assertThat(ids(all(new SortKey("released", true), new SortKey("name", false))))
        .isEqualTo(
            sorted(
                missingLast("released", String.class, true)
                    .thenComparing(missingLast("title", String.class, false))));
    assertThat(ids(all(new SortKey("id", true))))
        .isEqualTo(films.stream().map(Document::id).sorted(Comparator.reverseOrder()).toList());
  }

  private SearchResult all(SortKey... sort) {
    return search(
        SearchRequest.of("*:*").with(Page.first(films.size(), sort)).with(HitContents.ID_ONLY));
  }

  @Test
  void severalValuesCountByTheSmallestOrTheLargest() {
    List<Hit> up = all(new SortKey("genres", false)).hits();
    List<Hit> down = all(new SortKey("genres", true)).hits();

    assertThat(genres(up.getFirst())).contains("Action");
    assertThat(genres(down.getFirst())).contains("Western");
    assertThat(genres(up.getLast())).isEmpty();
    assertThat(genres(down.getLast())).isEmpty();
  }

  @SuppressWarnings("unchecked")
  private List<Object> genres(Hit hit) {
    return (List<Object>) byId.get(hit.id()).fields().get("genres");
  }

  @Test
  void cursorsFollowAnyOrder() {
    Page page = Page.first(700, new SortKey("rating", true), new SortKey("name", false));
    SearchRequest request = SearchRequest.of("*:*").with(HitContents.ID_ONLY);
    List<String> paged = new ArrayList<>();
    Optional<Cursor> next = Optional.empty();
    do {
      SearchResult found = search(request.with(next.map(page::after).orElse(page)));
      paged.addAll(ids(found));
      next = found.next();
    } while (next.isPresent());

    assertThat(paged).isEqualTo(ids(all(new SortKey("rating", true), new SortKey("name", false))));
  }

  @Test
  void aCursorOfAnotherOrderIsRefused() {
    Cursor ofScores = search(SearchRequest.of("film")).next().orElseThrow();

    assertInvalid(
        SearchRequest.of("film").with(Page.first(10, new SortKey("year", true)).after(ofScores)),
        "cursor");
    assertThatThrownBy(() -> Cursor.of("no cursor at all"))
        .hasMessageContaining("no cursor at all");
  }

  @Test
  void scoresComeWithOtherOrdersIfAskedFor() {
    SearchRequest request = SearchRequest.of("love war").with(Page.first(20));
    Map<String, Float> scores =
        search(request.with(Page.first(5000))).hits().stream()
            .collect(Collectors.toMap(Hit::id, Hit::score));

    List<Hit> hits = search(request.with(Page.first(20, new SortKey("year", true)))).hits();

    assertThat(hits).hasSize(20).allMatch(hit -> hit.score() == scores.get(hit.id()));
    Page scoredAmongOthers = Page.first(20, new SortKey("year", true), SortKey.BY_SCORE);
    assertThat(search(request.with(scoredAmongOthers)).hits())
        .hasSize(20)
        .allMatch(hit -> hit.score() == scores.get(hit.id()));
    assertThat(search(request.with(Page.first(1, SortKey.BY_ID)).with(HitContents.ID_ONLY)).hits())
        .allMatch(hit -> Float.isNaN(hit.score()));
  }

  @Test
  void fieldsComeBackAsTheyAreTyped() {
    Document film =
        films.stream()
            .filter(each -> each.fields().containsKey("released"))
            .findFirst()
            .orElseThrow();
    Hit hit = search(SearchRequest.of("id:" + film.id())).hits().getFirst();

    assertThat(hit.id()).isEqualTo(film.id());
    assertThat(hit.fields())
        .containsEntry("title", film.fields().get("title"))
        .containsEntry("year", film.fields().get("year"))
        .containsEntry("genres", film.fields().get("genres"))
        .containsEntry("rating", film.fields().get("rating"))
        .containsEntry("released", film.fields().get("released") + "T00:00:00Z")
        .doesNotContainKeys("text", "name", "id");
    HitContents some = new HitContents(List.of("year"), Optional.empty(), false);
    assertThat(search(SearchRequest.of("id:" + film.id()).with(some)).hits().getFirst().fields())
        .containsOnlyKeys("year");
  }

  @Test
  void passagesAreMarked() {
    Highlighting wanted = new Highlighting(List.of("extract", "title"), 2, 80, "<b>", "</b>");
    HitContents contents = new HitContents(List.of(), Optional.of(wanted), false);

    SearchResult found =
        search(SearchRequest.of("extract:\"comedy film\" OR title:war").with(contents));

    assertThat(found.hits())
        .isNotEmpty()
        .allSatisfy(
            hit ->
                assertThat(hit.highlights().values())
                    .isNotEmpty()
                    .allSatisfy(
                        passages ->
                            assertThat(passages)
                                .hasSizeBetween(1, 2)
                                .allMatch(
                                    text ->
                                        text.matches(
                                            "(?is).*<b>(war|comedy|film|comedy film)</b>.*"))));
  }

  @Test
  void localStatisticsAnswerTheSameDocuments() {
    SearchRequest request = SearchRequest.of("robot").with(Page.first(1000));

    assertThat(ids(search(request.with(SearchRequest.Statistics.LOCAL))))
        .containsExactlyInAnyOrderElementsOf(ids(search(request)));
  }

  @Test
  void filtersLimitAndDoNotScore() {
    SearchResult plain = search(SearchRequest.of("love").with(Page.first(3000)));
    SearchResult filtered =
        search(
            SearchRequest.of("love")
                .with(Page.first(3000))
                .with(List.of(QueryText.lucene("genres:Musical"), QueryText.lucene("-war"))));

    assertThat(filtered.total()).isPositive().isLessThan(plain.total());
    assertThat(plain.hits())
        .extracting(Hit::id, Hit::score)
        .containsAll(
            filtered.hits().stream()
                .map(hit -> org.assertj.core.groups.Tuple.tuple(hit.id(), hit.score()))
                .toList());
  }

  @Test
  void extendedDismaxTakesWhatPeopleType() {
    List<QueryText.FieldBoost> fields =
        List.of(
            new QueryText.FieldBoost("title", 3),
            new QueryText.FieldBoost("extract", 1),
            new QueryText.FieldBoost("year", 1));
    for (String text :
        List.of(
            "war",
            "\"love story\" -war",
            "AND",
            "((",
            "what? (really",
            "http://a.b/c",
            "a:b",
            "\"",
            "+",
            "foo^",
            "[1 TO",
            "*",
            "year:1950 war",
            "/x",
            "&& ||",
            "~",
            "1950",
            "")) {
      assertThat(search(SearchRequest.of(edismax(text, fields, null))).totalExact())
          .as(text)
          .isTrue();
    }
    assertThat(search(SearchRequest.of(edismax("1950", fields, null))).total())
        .isGreaterThanOrEqualTo(search(SearchRequest.of("year:1950")).total());
    long any = search(SearchRequest.of(edismax("love war peace", fields, null))).total();
    long two = search(SearchRequest.of(edismax("love war peace", fields, "2"))).total();
    long all = search(SearchRequest.of(edismax("love war peace", fields, "100%"))).total();
    assertThat(any).isGreaterThan(two);
    assertThat(two).isGreaterThan(all);
  }

  private static QueryText edismax(String text, List<QueryText.FieldBoost> fields, String minimum) {
    return new QueryText.Edismax(text, fields, Optional.ofNullable(minimum), false, 0.1f);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(war",
        "war AND",
        "\"war",
        "year:[1950",
        "year:soon",
        "year:195*",
        "title:/[/",
        "war^x",
        "rating:[a TO b]",
        "released:1950-13-01",
        "[* TO *",
        ""
      })
  void malformedQueriesAreNamed(String text) {
    assertInvalid(SearchRequest.of(text), text);
    assertInvalid(SearchRequest.of("war").with(List.of(QueryText.lucene(text))), text);
  }

  @Test
  void unreasonableQueriesAreRefused() {
    assertInvalid(SearchRequest.of("(".repeat(300) + "a" + ")".repeat(300)), "deeper");
    assertInvalid(SearchRequest.of("a ".repeat(200_000)), "longer");
    assertInvalid(SearchRequest.of("a b c ".repeat(2_000)), "clauses");
    assertThatThrownBy(() -> Page.first(Page.WINDOW_MAX + 1)).hasMessageContaining("cursor");
    assertThatThrownBy(() -> new Page(List.of(), -1, 5, Optional.empty()))
        .hasMessageContaining("-1");
  }

  private void assertInvalid(SearchRequest request, String named) {
    assertThatThrownBy(() -> search(request))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining(named)
        .extracting(failure -> ((UniserveException) failure).code())
        .isIn(ErrorCode.INVALID_ARGUMENT, ErrorCode.TOO_LARGE);
  }

  @Test
  void unknownFieldsAreNamed() {
    List<SearchRequest> requests =
        List.of(
            SearchRequest.of("plot:war"),
            SearchRequest.of("war").with(Page.first(3, new SortKey("plot", true))),
            SearchRequest.of("war").with(new HitContents(List.of("plot"), Optional.empty(), false)),
            SearchRequest.of(edismax("war", List.of(new QueryText.FieldBoost("plot", 1)), null)));
    for (SearchRequest request : requests) {
      assertThatThrownBy(() -> search(request))
          .hasMessageContaining("'plot'")
          .extracting(failure -> ((UniserveException) failure).code())
          .isEqualTo(ErrorCode.NOT_FOUND);
    }
    assertThatThrownBy(
            () -> search(SearchRequest.of("war").with(Page.first(3, new SortKey("title", true)))))
        .hasMessageContaining("'title'");
  }

  @Test
  void aCancelledSearchFailsRatherThanAnswerInPart() {
    AtomicInteger asked = new AtomicInteger();
    LocalContext cancelledSoon = new LocalContext(0, () -> asked.incrementAndGet() > 2);
    Search search =
        new Search(SearchRequest.of("\"of the\"~4 the"), Optional.empty(), Optional.empty(), false);

    assertThatThrownBy(() -> search.retrieve(table.actor(0), answer -> {}, cancelledSoon))
        .extracting(failure -> ((UniserveException) failure).code())
        .isEqualTo(ErrorCode.CANCELLED);
  }
}
