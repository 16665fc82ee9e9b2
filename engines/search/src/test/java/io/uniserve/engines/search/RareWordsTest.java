package io.uniserve.engines.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Plan;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.testkit.local.LocalTable;
import io.uniserve.textindex.Answer;
import io.uniserve.textindex.document.Highlighting;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.Facet;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchRequest.Statistics;
import io.uniserve.textindex.request.SearchResult;
import io.uniserve.textindex.request.SearchResult.Hit;
import io.uniserve.textindex.schema.SortKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A search for a rare word alone takes one round, and finds what it finds in two. */
class RareWordsTest {
  private LocalTable<SearchActor> table;

  @BeforeEach
  void create(@TempDir Path directory, TestInfo test) throws IOException {
    table = Texts.create(directory, test);
    add(0, 400, "all of them are common");
    add(400, 406, "a few are scarce scarce scarce, and the text that they are in is long");
    add(406, 412, "a few are scarce");
    add(412, 500, "some are seldom found");
  }

  @AfterEach
  void close() {
    table.close();
  }

  private void add(int from, int to, String text) {
    Texts.add(table, from, to, text);
  }

  private Plan<SearchResult> plan(SearchRequest request) {
    return SearchPlanner.plan(table.definition(), request.with(Statistics.GLOBAL_ANEW));
  }

  private static SearchRequest ids(String query) {
    return SearchRequest.of(query).with(HitContents.ID_ONLY);
  }

  /** The answer of the first round of a search, if it gives one. */
  private Optional<Answer> firstRound(SearchRequest request) {
    Plan.Nested<?> nested = (Plan.Nested<?>) plan(request);
    return table.query(nested.subqueries().getFirst()) instanceof FindRareWord.Found found
        ? found.answer()
        : Optional.empty();
  }

  /** The same by a search that is not for a word alone, and so takes two rounds. */
  private List<Hit> twoRounds(SearchRequest request) {
    SearchRequest amongAll = request.with(List.of(QueryText.lucene("*:*")));
    assertThat(firstRound(amongAll)).isEmpty();
    return table.query(plan(amongAll)).hits();
  }

  @Test
  void aRareWordTakesOneRound() {
    assertThat(firstRound(ids("scarce")).orElseThrow().total()).isEqualTo(12);
    assertThat(firstRound(ids("no7")).orElseThrow().hits()).hasSize(1);
    assertThat(firstRound(ids("absent")).orElseThrow().hits()).isEmpty();
    assertThat(firstRound(ids("are"))).isEmpty();
  }

  @Test
  void bothWaysFindTheSame() {
    for (String word : List.of("scarce", "no7", "absent", "seldom", "are", "common")) {
      for (SearchRequest request : List.of(ids(word), SearchRequest.of(word))) {
        List<Hit> hits = table.query(plan(request)).hits();
        assertThat(hits).as(word).isEqualTo(twoRounds(request));
      }
    }
    assertThat(table.query(plan(ids("scarce"))).hits()).hasSize(10);
  }

  @Test
  void pagesAndFieldsAreThoseAskedFor() {
    Page second = new Page(List.of(), 3, 4, Optional.empty());
    SearchRequest request = SearchRequest.of("scarce").with(second);
    assertThat(firstRound(request)).isPresent();
    List<Hit> hits = table.query(plan(request)).hits();
    assertThat(hits).isEqualTo(twoRounds(request)).hasSize(4);
    assertThat(hits).allMatch(hit -> hit.fields().get("text").toString().contains("scarce"));
  }

  @Test
  void documentsThatAreDeletedAreNotFoundAndStillCounted() {
    table.update(new DeleteById(), List.of(new DocumentId("d400"), new DocumentId("d411")));
    SearchRequest request = ids("scarce").with(Page.first(100));
    assertThat(firstRound(request).orElseThrow().total()).isEqualTo(10);
    assertThat(table.query(plan(request)).total()).isEqualTo(10);
    assertThat(table.query(plan(request)).hits()).isEqualTo(twoRounds(request)).hasSize(10);
  }

  @Test
  void aWordThatOneActorHasOftenIsSearchedFor() {
    Partitioner partitioner = table.definition().partitioner();
    List<Document> documents =
        IntStream.range(0, 1_000)
            .mapToObj(i -> new Document("m" + i, Map.of("text", "scarce no longer")))
            .filter(each -> partitioner.actorOf(each.partitionKey()) == 2)
            .toList();
    assertThat(documents).hasSizeBetween(100, 900);
    table.update(new AddDocuments(), documents);
    assertThat(firstRound(ids("scarce"))).isEmpty();
    assertThat(table.query(plan(ids("scarce"))).total()).isEqualTo(12 + documents.size());
  }

  @Test
  void moreThanTheBestOfOneWordTakesTwoRounds() {
    assertThat(firstRound(ids("scarce no7"))).isEmpty();
    assertThat(firstRound(ids("\"are scarce\""))).isEmpty();
    assertThat(firstRound(ids("scarce^2"))).isEmpty();
  }

  @Test
  void storedFieldsOfManyAreNotFetchedUnasked() {
    add(600, 660, "sixty are rare enough");
    assertThat(firstRound(ids("sixty"))).isPresent();
    assertThat(firstRound(SearchRequest.of("sixty"))).isEmpty();
    assertThat(table.query(plan(SearchRequest.of("sixty"))).hits())
        .isEqualTo(twoRounds(SearchRequest.of("sixty")))
        .allMatch(hit -> hit.fields().containsKey("text"));
  }

  @Test
  void pagesFollowEachOtherByCursor() {
    List<Hit> whole = table.query(plan(ids("scarce").with(Page.first(12)))).hits();
    List<Hit> found = new ArrayList<>();
    Page page = Page.first(5);
    for (int i = 0; i < 3; i++) {
      SearchResult some = table.query(plan(ids("scarce").with(page)));
      found.addAll(some.hits());
      page = page.after(some.next().orElseThrow());
    }
    assertThat(found).isEqualTo(whole).hasSize(12);
  }

  @Test
  void whatElseIsAskedIsAnswered() {
    SearchRequest counted =
        ids("scarce").with(new Facet.Ranges("where", "place", List.of(400L, 406L)));
    assertThat(table.query(plan(counted)).facets().getFirst().buckets())
        .extracting(SearchResult.Bucket::count)
        .containsExactly(0L, 6L, 6L);
    SearchRequest shown =
        ids("scarce")
            .with(
                new HitContents(
                    List.of(),
                    Optional.of(new Highlighting(List.of("text"), 1, 0, "<", ">")),
                    false));
    assertThat(table.query(plan(shown)).hits())
        .isNotEmpty()
        .allMatch(hit -> hit.highlights().get("text").getFirst().contains("scarce"));
    HitContents scored = new HitContents(List.of(), Optional.empty(), true); // counted, therefore
    SearchRequest sorted = ids("scarce").with(Page.first(3, SortKey.of("place desc"))).with(scored);
    assertThat(table.query(plan(sorted)).hits())
        .extracting(Hit::id)
        .containsExactly("d411", "d410", "d409");
  }

  @Test
  void actorsThatAreNotAskedGiveNothing() {
    Document one = new Document("d400", Map.of());
    Plan<SearchResult> plan =
        SearchPlanner.plan(
            table.definition(),
            ids("scarce").with(Statistics.GLOBAL_ANEW),
            Keys.of(one.partitionKey()));
    Partitioner partitioner = table.definition().partitioner();
    List<String> expected =
        IntStream.range(400, 412)
            .mapToObj(i -> new Document("d" + i, Map.of()))
            .filter(
                each ->
                    partitioner.actorOf(each.partitionKey())
                        == partitioner.actorOf(one.partitionKey()))
            .map(Document::id)
            .toList();
    assertThat(expected).hasSizeBetween(1, 9);
    assertThat(table.query(plan).hits())
        .extracting(Hit::id)
        .containsExactlyInAnyOrderElementsOf(expected);
  }
}
