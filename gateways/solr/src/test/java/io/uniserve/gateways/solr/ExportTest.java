package io.uniserve.gateways.solr;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.solr.common.util.JavaBinCodec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that exports have the form of Solr's, and give what a search does, in its order. */
class ExportTest {
  private static final int FILMS = 1_100;

  @TempDir static Path directory;
  private static LocalSolr solr;

  @BeforeAll
  static void open() {
    solr = new LocalSolr(Films.TABLE, directory);
    assertThat(solr.update(Films.json()).status()).isEqualTo(200);
    solr.get("/update?commit=true");
  }

  @AfterAll
  static void close() {
    solr.close();
  }

  @AfterEach
  void succeedAgain() {
    solr.client.failure = Optional.empty();
  }

  private static List<String> ids(JsonNode answer) {
    List<String> ids = new ArrayList<>();
    answer.at("/response/docs").forEach(document -> ids.add(document.get("id").asText()));
    return ids;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "q=*:*&sort=id+asc",
        "q=*:*&sort=year+desc,id+asc",
        "q=*:*&sort=initial_release_date+asc,rating+desc",
        "q=love&sort=rating+desc",
        "q=love&defType=edismax&qf=name&fq=year:%5B2000+TO+*%5D&fq=-genre:Comedy&sort=id+desc",
        "q=name:nothing_like_it&sort=id+asc",
        "sort=id+asc"
      })
  void givesWhatASearchGivesInItsOrder(String request) {
    LocalSolr.Answer exported = solr.get("/export?fl=id&" + request);
    LocalSolr.Answer found = solr.get("/select?fl=id&rows=2000&" + request);

    assertThat(exported.status()).as(exported.json().toString()).isEqualTo(200);
    assertThat(exported.json().at("/response/numFound"))
        .isEqualTo(found.json().at("/response/numFound"));
    assertThat(ids(exported.json())).isEqualTo(ids(found.json()));
  }

  @Test
  void theFormIsThatOfSolr() {
    LocalSolr.Answer answer =
        solr.get(
            "/export?q=id:%22/en/45_2006%22&sort=id+asc"
                + "&fl=id,year,rating,genre,initial_release_date");

    assertThat(answer.json().toString())
        .isEqualTo(
            "{\"responseHeader\":{\"status\":0},\"response\":{\"numFound\":1,\"docs\":[{"
                + "\"id\":\"/en/45_2006\",\"year\":2006,\"rating\":0.75,"
                + "\"genre\":[\"Action Film\",\"Black comedy\",\"Crime Fiction\",\"Crime Thriller\",\"Drama\","
                + "\"Indie film\",\"Psychological thriller\",\"Thriller\"],"
                + "\"initial_release_date\":\"2006-11-30T00:00:00Z\"}]}}");
  }

  @Test
  void patternsChooseAmongColumnsAndStoredTextHasToBeAskedFor() {
    String one = "/export?q=id:%22/en/45_2006%22&sort=id+asc";
    JsonNode all = solr.get(one + "&fl=*").json().at("/response/docs/0");
    JsonNode some = solr.get(one + "&fl=*ating,id,y*").json().at("/response/docs/0");
    JsonNode stored =
        solr.get(one + "&fl=name,id&includeStoredFields=true").json().at("/response/docs/0");

    assertThat(all.fieldNames())
        .toIterable()
        .containsExactly("directed_by", "genre", "id", "initial_release_date", "rating", "year");
    assertThat(some.fieldNames()).toIterable().containsExactly("rating", "id", "year");
    assertThat(stored.get("name").asText()).isEqualTo(".45");
  }

  /** The words are Solr's where it has some. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          q=*:*&fl=id|No sort criteria was provided.
          q=*:*&sort=id+asc|export field list (fl) must be specified.
          q=*:*&sort=score+desc&fl=id|Scoring is not currently supported with xsort.
          q=*:*&sort=id+asc&fl=id,score|Scoring is not currently supported with xsort.
          q=*:*&sort=id+asc&fl=name|name must have DocValues to use this feature
          q=*:*&sort=genre+asc&fl=id|'genre'
          q=*:*&sort=name+asc&fl=id|'name'
          q=*:*&sort=id+asc&fl=nofield|'nofield'
          q=*:*&sort=nofield+asc&fl=id|'nofield'
          q=nofield:1&sort=id+asc&fl=id|'nofield'
          q=*:*&sort=id+asc&fl=id&expr=input()|'expr'
          q=*:*&sort=id+asc&fl=id&numWorkers=2|'numWorkers'
          q=*:*&sort=id+asc&fl=id&rows=5|'rows'
          q=*:*&sort=id+asc&fl=id&cursorMark=*|'cursorMark'
          q=*:*&sort=id+asc&fl=id&batchSize=0|batchSize=0
          q=*:*&sort=id+asc&fl=id&priority=soon|'soon'
          q=*:*&sort=id+asc&fl=id&wt=csv|wt=csv
          """)
  void whatIsWrongIsNamed(String parameters, String named) {
    LocalSolr.Answer answer = solr.get("/export?" + parameters);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().at("/responseHeader/status").asInt()).isEqualTo(400);
    assertThat(answer.json().at("/response/numFound").asInt(-1)).isZero();
    assertThat(answer.json().at("/response/docs/0/EXCEPTION").asText()).contains(named);
    assertThat(answer.error()).contains(named);
  }

  @Test
  void aFailureMidwayIsTheLastDocument() {
    solr.client.failure =
        Optional.of(new UniserveException(ErrorCode.UNAVAILABLE, "actor 1.3 is lost"));

    LocalSolr.Answer answer = solr.get("/export?q=*:*&sort=id+asc&fl=id");

    JsonNode documents = answer.json().at("/response/docs");
    assertThat(documents).hasSize(101);
    assertThat(documents.get(99).has("id")).isTrue();
    assertThat(documents.get(100).get("EXCEPTION").asText()).contains("actor 1.3 is lost");
    assertThat(documents.get(100).get("EOF").asBoolean()).isTrue();
  }

  @Test
  void javabinHasDates() throws IOException {
    String request =
        "/export?q=*:*&sort=initial_release_date+desc&fl=id,initial_release_date&wt=javabin";
    Map<?, ?> answer;
    try (InputStream in = URI.create(solr.url() + request).toURL().openStream();
        JavaBinCodec codec = new JavaBinCodec()) {
      answer = (Map<?, ?>) codec.unmarshal(in);
    }
    Map<?, ?> response = (Map<?, ?>) answer.get("response");
    assertThat(((Number) response.get("numFound")).intValue()).isEqualTo(FILMS);
    List<?> documents = (List<?>) response.get("docs");
    assertThat(documents).hasSize(FILMS);
    assertThat(((Map<?, ?>) documents.getFirst()).get("initial_release_date"))
        .isInstanceOf(Date.class);
  }

  @Test
  void aPriorityIsThatOfItsScan() {
    solr.client.scans.clear();
    solr.get("/export?q=*:*&sort=id+asc&fl=id");
    solr.get("/export?q=*:*&sort=id+asc&fl=id&priority=batch");
    assertThat(solr.client.scans)
        .extracting(options -> options.priority())
        .containsExactly(4d, 16d);
  }
}
