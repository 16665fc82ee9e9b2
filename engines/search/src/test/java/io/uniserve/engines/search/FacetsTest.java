package io.uniserve.engines.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.testkit.local.LocalTable;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.Facet;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchResult.Bucket;
import io.uniserve.textindex.request.SearchResult.FacetCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Facets over five actors are what one counts by hand. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FacetsTest {
  private static final Predicate<Document> IS_DRAMA =
      film -> values(film, "genres").anyMatch("Drama"::equals);

  private final List<Document> films = Films.all();
  private LocalTable<SearchActor> table;

  @BeforeAll
  void load(@TempDir Path directory) throws IOException {
    table = LocalTable.create(new SearchEngine(), Films.table(5), directory);
    table.update(new AddDocuments(), films);
  }

  @AfterAll
  void close() {
    table.close();
  }

  private static Stream<Object> values(Document film, String field) {
    Object value = film.fields().get(field);
    return value instanceof List<?> list
        ? list.stream().map(each -> (Object) each)
        : Stream.ofNullable(value);
  }

  private FacetCounts count(String query, Facet facet) {
    SearchRequest request = SearchRequest.of(query).with(Page.first(0)).with(facet);
    return table.query(SearchPlanner.plan(table.definition(), request)).facets().getFirst();
  }

  private Map<Object, Long> byHand(String field) {
    return films.stream()
        .filter(IS_DRAMA)
        .flatMap(film -> values(film, field))
        .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
  }

  private static Stream<Bucket> buckets(Map<Object, Long> counts) {
    return counts.entrySet().stream().map(each -> new Bucket(each.getKey(), each.getValue()));
  }

  @Test
  void stringsByCount() {
    FacetCounts counts =
        count("genres:Drama", new Facet.Terms("g", "genres", "", Facet.Order.COUNT, 2, 1, 6));

    assertThat(counts.name()).isEqualTo("g");
    assertThat(counts.buckets())
        .containsExactlyElementsOf(
            buckets(byHand("genres"))
                .filter(each -> each.count() >= 2)
                .sorted(Comparator.comparingLong(Bucket::count).reversed())
                .skip(1)
                .limit(6)
                .toList());
    assertThat(counts.missing()).isZero();
  }

  @Test
  void stringsByValueWithPrefix() {
    FacetCounts counts =
        count("genres:Drama", new Facet.Terms("g", "genres", "S", Facet.Order.VALUE, 1, 0, -1));

    assertThat(counts.buckets())
        .isNotEmpty()
        .containsExactlyElementsOf(
            buckets(byHand("genres"))
                .filter(each -> ((String) each.value()).startsWith("S"))
                .toList());
  }

  @Test
  void stringsThatNoHitHas() {
    FacetCounts counts =
        count("genres:Western", new Facet.Terms("g", "genres", "", Facet.Order.VALUE, 0, 0, -1));

    assertThat(counts.buckets())
        .extracting(Bucket::value)
        .containsExactlyElementsOf(
            films.stream().flatMap(film -> values(film, "genres")).distinct().sorted().toList());
    assertThat(counts.buckets()).anyMatch(each -> each.count() == 0);
  }

  @Test
  void numbersByValue() {
    FacetCounts counts =
        count("genres:Drama", new Facet.Terms("y", "year", "", Facet.Order.VALUE, 1, 0, -1));

    assertThat(counts.buckets()).containsExactlyElementsOf(buckets(byHand("year")).toList());
  }

  @Test
  void rangesOfNumbers() {
    FacetCounts counts =
        count("genres:Drama", new Facet.Ranges("y", "year", List.of(1950L, 1960L, "1970")));

    assertThat(counts.buckets())
        .containsExactly(
            new Bucket(null, dramas(year -> year < 1950)),
            new Bucket(1950L, dramas(year -> year >= 1950 && year < 1960)),
            new Bucket(1960L, dramas(year -> year >= 1960 && year < 1970)),
            new Bucket(1970L, dramas(year -> year >= 1970)));
  }

  private long dramas(Predicate<Long> years) {
    return films.stream()
        .filter(IS_DRAMA)
        .filter(film -> years.test((Long) film.fields().get("year")))
        .count();
  }

  @Test
  void rangesOfDatesAndWhatIsMissing() {
    FacetCounts counts =
        count("genres:Drama", new Facet.Ranges("r", "released", List.of("1960-01-01")));
    long dated = films.stream().filter(IS_DRAMA).flatMap(film -> values(film, "released")).count();

    assertThat(counts.buckets())
        .extracting(Bucket::value)
        .containsExactly(null, "1960-01-01T00:00:00Z");
    assertThat(counts.buckets().stream().mapToLong(Bucket::count).sum()).isEqualTo(dated);
    assertThat(counts.missing()).isEqualTo(dramas(year -> true) - dated).isPositive();
  }

  @Test
  void anotherQuery() {
    FacetCounts counts =
        count("genres:Drama", new Facet.Matching("war", QueryText.lucene("genres:War")));

    assertThat(counts.buckets())
        .extracting(Bucket::count)
        .containsExactly(
            films.stream()
                .filter(IS_DRAMA)
                .filter(film -> values(film, "genres").anyMatch("War"::equals))
                .count());
  }

  @Test
  void severalAtOnceWithHits() {
    SearchRequest request =
        SearchRequest.of("film genres:Drama")
            .with(
                new Facet.Terms("g", "genres", "", Facet.Order.COUNT, 1, 0, 3),
                new Facet.Matching("war", QueryText.lucene("genres:War~1")),
                new Facet.Ranges("y", "year", List.of(1950)));

    var found = table.query(SearchPlanner.plan(table.definition(), request));

    assertThat(found.hits()).hasSize(10);
    assertThat(found.facets()).extracting(FacetCounts::name).containsExactly("g", "war", "y");
    assertThat(found.facets().get(2).buckets().stream().mapToLong(Bucket::count).sum())
        .isEqualTo(found.total());
  }

  @Test
  void whatCannotBeCountedIsNamed() {
    assertThatThrownBy(() -> count("*:*", Facet.of("title"))).hasMessageContaining("'title'");
    assertThatThrownBy(() -> count("*:*", Facet.of("nothing"))).hasMessageContaining("'nothing'");
    assertThatThrownBy(() -> count("*:*", new Facet.Ranges("y", "year", List.of(2, 2))))
        .hasMessageContaining("'year'");
    assertThatThrownBy(() -> count("*:*", new Facet.Ranges("y", "year", List.of("soon"))))
        .hasMessageContaining("'soon'");
    assertThatThrownBy(() -> count("*:*", new Facet.Ranges("g", "genres", List.of("a"))))
        .hasMessageContaining("'genres'");
  }
}
