package io.uniserve.gateways.solr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.solr.client.solrj.SolrClient;
import org.apache.solr.client.solrj.SolrQuery;
import org.apache.solr.client.solrj.SolrQuery.ORDER;
import org.apache.solr.client.solrj.SolrRequest.METHOD;
import org.apache.solr.client.solrj.SolrServerException;
import org.apache.solr.client.solrj.impl.BaseHttpSolrClient.RemoteSolrException;
import org.apache.solr.client.solrj.impl.HttpJdkSolrClient;
import org.apache.solr.client.solrj.impl.XMLRequestWriter;
import org.apache.solr.client.solrj.request.UpdateRequest;
import org.apache.solr.client.solrj.response.FacetField;
import org.apache.solr.client.solrj.response.QueryResponse;
import org.apache.solr.client.solrj.response.RangeFacet;
import org.apache.solr.common.SolrDocument;
import org.apache.solr.common.SolrInputDocument;
import org.apache.solr.common.params.CursorMarkParams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SolrJ 9, unchanged and with its defaults: javabin both ways. */
class SolrJTest {
  @TempDir Path directory;
  private LocalSolr solr;
  private SolrClient client;

  @BeforeEach
  void open() {
    solr = new LocalSolr(Films.TABLE, directory);
    client = new HttpJdkSolrClient.Builder(solr.root()).withDefaultCollection("films").build();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    solr.close();
  }

  private static SolrInputDocument film(String id, String name, int year, String... genres) {
    SolrInputDocument film = new SolrInputDocument("id", id, "name", name);
    film.addField("year", year);
    film.addField("rating", 7.5f);
    film.addField("initial_release_date", Date.from(Instant.parse(year + "-05-01T10:00:00Z")));
    for (String genre : genres) {
      film.addField("genre", genre);
    }
    return film;
  }

  private void addFour() throws SolrServerException, IOException {
    client.add(
        List.of(
            film("1", "Love story", 1970, "Drama", "Romance Film"),
            film("2", "Love actually", 2003, "Comedy", "Romance Film"),
            film("3", "The lord of the rings", 2001, "Fantasy"),
            film("4", "Ghost story", 1981, "Horror")));
    client.commit();
  }

  private List<String> ids(SolrQuery query) throws SolrServerException, IOException {
    return client.query(query).getResults().stream()
        .map(document -> (String) document.getFieldValue("id"))
        .toList();
  }

  @Test
  void whatWasAddedIsFoundWithItsTypesOnceCommitted() throws Exception {
    client.add(film("1", "Love story", 1970, "Drama", "Romance Film"));
    assertThat(client.query(new SolrQuery("love")).getResults().getNumFound()).isZero();

    assertThat(client.commit().getStatus()).isZero();
    QueryResponse response = client.query(new SolrQuery("love"));

    assertThat(response.getStatus()).isZero();
    assertThat(response.getResults().getNumFound()).isOne();
    assertThat(response.getResults().getNumFoundExact()).isTrue();
    SolrDocument found = response.getResults().getFirst();
    assertThat(found.getFieldNames())
        .containsExactlyInAnyOrder("id", "name", "year", "rating", "genre", "initial_release_date");
    assertThat(found.getFieldValue("year")).isEqualTo(1970L);
    assertThat(found.getFieldValue("rating")).isEqualTo(7.5);
    assertThat(found.getFieldValues("genre")).containsExactly("Drama", "Romance Film");
    assertThat(found.getFieldValue("initial_release_date"))
        .isEqualTo(Date.from(Instant.parse("1970-05-01T10:00:00Z")));
  }

  @Test
  void aSecondDocumentOfAnIdReplacesTheFirst() throws Exception {
    addFour();

    client.add(film("1", "War story", 1971, "War"));
    client.commit();

    assertThat(ids(new SolrQuery("love"))).containsExactly("2");
    assertThat(ids(new SolrQuery("war"))).containsExactly("1");
  }

  @Test
  void deletesByIdAndByQuery() throws Exception {
    addFour();

    client.deleteById("1");
    client.deleteById(List.of("3", "not there"));
    client.deleteByQuery("name:ghost");
    client.commit();

    assertThat(ids(new SolrQuery("*:*"))).containsExactly("2");
  }

  @Test
  void oneRequestAddsThenDeletes() throws Exception {
    addFour();
    UpdateRequest request = new UpdateRequest();
    request.add(film("5", "New story", 2010, "Drama"));
    request.deleteById("4");
    request.deleteByQuery("year:[2001 TO 2003]");

    request.commit(client, "films");

    assertThat(ids(new SolrQuery("*:*").addSort("id", ORDER.asc))).containsExactly("1", "5");
  }

  @Test
  void pagesByOffsetAndByCursor() throws Exception {
    List<SolrInputDocument> films = new ArrayList<>();
    for (int i = 0; i < 57; i++) {
      films.add(film("film-%02d".formatted(i), "Story " + i, 1950 + i % 7, "Drama"));
    }
    client.add(films);
    client.commit();
    SolrQuery query = new SolrQuery("story").addSort("year", ORDER.desc).addSort("id", ORDER.asc);

    List<String> all = ids(query.getCopy().setRows(100));
    List<String> paged = new ArrayList<>();
    for (int start = 0; start < 60; start += 10) {
      paged.addAll(ids(query.getCopy().setStart(start).setRows(10)));
    }
    List<String> byCursor = new ArrayList<>();
    String next = CursorMarkParams.CURSOR_MARK_START;
    for (String mark = ""; !mark.equals(next); ) {
      mark = next;
      SolrQuery page = query.getCopy().setRows(10);
      page.set(CursorMarkParams.CURSOR_MARK_PARAM, mark);
      QueryResponse response = client.query(page);
      response.getResults().forEach(found -> byCursor.add((String) found.getFieldValue("id")));
      next = response.getNextCursorMark();
    }

    assertThat(all).hasSize(57).doesNotHaveDuplicates();
    assertThat(paged).isEqualTo(all);
    assertThat(byCursor).isEqualTo(all);
  }

  @Test
  void facetsOfFieldsQueriesAndRanges() throws Exception {
    addFour();
    SolrQuery query = new SolrQuery("*:*").setRows(0).setFacet(true);
    query.addFacetField("genre").setFacetMinCount(1).setFacetLimit(2).addFacetQuery("love");
    query.addNumericRangeFacet("year", 1970, 2010, 20);
    query.addDateRangeFacet(
        "initial_release_date",
        Date.from(Instant.parse("2000-01-01T00:00:00Z")),
        Date.from(Instant.parse("2004-01-01T00:00:00Z")),
        "+2YEARS");

    QueryResponse response = client.query(query);

    FacetField genres = response.getFacetField("genre");
    assertThat(genres.getValues())
        .extracting(FacetField.Count::getName, FacetField.Count::getCount)
        .containsExactly(tuple("Romance Film", 2L), tuple("Comedy", 1L));
    assertThat(response.getFacetQuery()).isEqualTo(Map.of("love", 2));
    assertThat(response.getFacetRanges()).hasSize(2);
    RangeFacet<?, ?> years = response.getFacetRanges().get(0);
    assertThat(years).isInstanceOf(RangeFacet.Numeric.class);
    assertThat(years.getCounts())
        .extracting(RangeFacet.Count::getValue, RangeFacet.Count::getCount)
        .containsExactly(tuple("1970", 2), tuple("1990", 2));
    RangeFacet<?, ?> dates = response.getFacetRanges().get(1);
    assertThat(dates.getStart()).isEqualTo(Date.from(Instant.parse("2000-01-01T00:00:00Z")));
    assertThat(dates.getCounts()).extracting(RangeFacet.Count::getCount).containsExactly(1, 1);
  }

  @Test
  void highlights() throws Exception {
    addFour();
    SolrQuery query = new SolrQuery("story").setHighlight(true).addHighlightField("name");
    query.setHighlightSimplePre("<b>").setHighlightSimplePost("</b>");

    assertThat(client.query(query).getHighlighting())
        .isEqualTo(
            Map.of(
                "1", Map.of("name", List.of("Love <b>story</b>")),
                "4", Map.of("name", List.of("Ghost <b>story</b>"))));
  }

  @Test
  void showsScoresAndFieldsThatWereAskedFor() throws Exception {
    addFour();
    SolrQuery query = new SolrQuery("love").setFields("id", "score");

    QueryResponse response = client.query(query);

    assertThat(response.getResults())
        .allSatisfy(found -> assertThat(found.getFieldNames()).containsExactly("id", "score"))
        .first()
        .satisfies(
            best ->
                assertThat(best.getFieldValue("score"))
                    .isEqualTo(response.getResults().getMaxScore()));
  }

  @Test
  void searchesByPostAndEdismax() throws Exception {
    addFour();
    SolrQuery query = new SolrQuery("love ring rings").setFilterQueries("year:[2000 TO *]");
    query.set("defType", "edismax").set("qf", "name^2 genre").set("mm", "1");

    assertThat(client.query(query, METHOD.POST).getResults())
        .extracting(found -> found.getFieldValue("id"))
        .containsExactlyInAnyOrder("2", "3");
  }

  @Test
  void commitWithinMakesVisibleInTime() throws Exception {
    client.add(film("1", "Love story", 1970, "Drama"), 500);

    assertThat(ids(new SolrQuery("love"))).containsExactly("1");
  }

  @Test
  void anotherClientMayWriteXml() throws Exception {
    try (SolrClient xml =
        new HttpJdkSolrClient.Builder(solr.root())
            .withDefaultCollection("films")
            .withRequestWriter(new XMLRequestWriter())
            .build()) {
      xml.add(film("1", "Love & <story>", 1970, "Drama", "Romance Film"));
      xml.add(film("2", "War story", 1971, "War"));
      xml.deleteById("2");
      xml.commit();
    }

    SolrDocument found = client.query(new SolrQuery("love")).getResults().getFirst();
    assertThat(found.getFieldValue("name")).isEqualTo("Love & <story>");
    assertThat(found.getFieldValues("genre")).containsExactly("Drama", "Romance Film");
    assertThat(ids(new SolrQuery("*:*"))).containsExactly("1");
  }

  @Test
  void pings() throws Exception {
    assertThat(client.ping("films").getStatus()).isZero();
  }

  @Test
  void errorsReachTheClientWithTheirStatus() {
    assertThatThrownBy(() -> client.query(new SolrQuery("nofield:x")))
        .isInstanceOfSatisfying(RemoteSolrException.class, e -> assertThat(e.code()).isEqualTo(400))
        .hasMessageContaining("nofield");
    assertThatThrownBy(() -> client.query("nothing", new SolrQuery("x")))
        .isInstanceOfSatisfying(RemoteSolrException.class, e -> assertThat(e.code()).isEqualTo(404))
        .hasMessageContaining("nothing");
    assertThatThrownBy(() -> client.add(new SolrInputDocument("id", "1", "nofield", "x")))
        .isInstanceOfSatisfying(RemoteSolrException.class, e -> assertThat(e.code()).isEqualTo(400))
        .hasMessageContaining("nofield");
  }

  @Test
  void refusesWhatItCannotDoWithADocument() {
    SolrInputDocument parent = film("1", "Love story", 1970, "Drama");
    parent.addChildDocument(film("2", "Love story 2", 1971, "Drama"));
    SolrInputDocument change = new SolrInputDocument("id", "1");
    change.addField("year", Map.of("inc", 1));

    assertThatThrownBy(() -> client.add(parent)).hasMessageContaining("documents in documents");
    assertThatThrownBy(() -> client.add(change)).hasMessageContaining("year");
    assertThatThrownBy(() -> new UpdateRequest().deleteById("1", 5L).process(client, "films"))
        .hasMessageContaining("'ver'");
  }
}
