package io.uniserve.gateways.solr;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests in the forms in which Solarium, and Drupal by it, builds them, and many at a time. */
@Timeout(120)
class SolariumTest {
  private static final int PARALLEL = 40;

  @TempDir Path directory;
  private LocalSolr solr;

  @BeforeEach
  void open() {
    solr = new LocalSolr(Films.TABLE, directory);
  }

  @AfterEach
  void close() {
    solr.close();
  }

  private static void assertAnswered(LocalSolr.Answer answer) {
    assertThat(answer.status()).as(answer.error()).isEqualTo(200);
  }

  /** A command for each document, in one object; slashes and other letters escaped. */
  @Test
  void updatesInJson() {
    String update =
        "{\"add\":{\"doc\":{\"id\":\"index\\/1\",\"name\":\"caf\\u00e9\"},\"overwrite\":true},"
            + "\"add\":{\"doc\":{\"id\":\"2\",\"genre\":[\"Drama\"]},\"commitWithin\":500},"
            + "\"delete\":[\"2\"],\"delete\":{\"query\":\"genre:War\"},"
            + "\"add\":{\"doc\":{\"id\":\"3\",\"genre\":\"Drama\"}},"
            + "\"commit\":{\"softCommit\":true,\"waitSearcher\":true,\"expungeDeletes\":false},"
            + "\"optimize\":{\"softCommit\":false,\"waitSearcher\":false,\"maxSegments\":2}}";

    assertAnswered(
        solr.post("/update?omitHeader=false&wt=json&json.nl=flat", "application/json", update));

    assertThat(ids()).containsExactly("3", "index/1");
    assertAnswered(solr.post("/update?wt=json&json.nl=flat", "application/json", "{}"));
  }

  @Test
  void updatesInXml() {
    String update =
        "<update><add overwrite=\"true\"><doc><field name=\"id\">1</field></doc><doc>"
            + "<field name=\"id\">2</field></doc></add><delete><id>2</id></delete>"
            + "<commit softCommit=\"true\" waitSearcher=\"true\"/></update>";

    assertAnswered(
        solr.post(
            "/update?omitHeader=true&wt=json&json.nl=flat", "text/xml; charset=UTF-8", update));

    assertThat(ids()).containsExactly("1");
  }

  private List<String> ids() {
    return solr.get("/select?q=*:*&fl=id&sort=id+asc&rows=100").json().findValuesAsText("id");
  }

  @Test
  void searches() {
    solr.update(Films.json());

    LocalSolr.Answer answer =
        solr.get(
            "/select?omitHeader=true&wt=json&json.nl=flat&q=%7B!edismax%7Dlove&start=0&rows=5"
                + "&fl=*%2Cscore&sort=score+desc&qf=name%5E2&fq=year%3A%5B1900+TO+2100%5D&fq="
                + "&facet=true&facet.field=%7B!key%3Dkinds%7Dgenre&f.genre.facet.limit=3"
                + "&f.genre.facet.mincount=1&hl=true&hl.fl=name&hl.simple.pre=%3Cb%3E");

    assertAnswered(answer);
    JsonNode json = answer.json();
    assertThat(json.has("responseHeader")).isFalse();
    assertThat(json.at("/response/docs")).hasSize(5);
    assertThat(json.at("/facet_counts/facet_fields/kinds")).as("flat pairs").hasSize(6);
    assertAnswered(solr.get("/admin/ping?omitHeader=true&wt=json&json.nl=flat"));
  }

  /** More than are carried out at a time wait for their turn. */
  @Test
  void manyUpdatesAtATimeAreAllCarriedOut() throws Exception {
    CountDownLatch eight = new CountDownLatch(8);
    solr.client.beforeUpdates =
        () -> {
          eight.countDown();
          await(eight);
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<LocalSolr.Answer>> answers =
          IntStream.range(0, PARALLEL)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> solr.post("/update", "text/json", "[{\"id\":" + i + "}]")))
              .toList();
      for (Future<LocalSolr.Answer> answer : answers) {
        assertAnswered(answer.get(1, TimeUnit.MINUTES));
      }
    }
    assertThat(solr.client.updates).hasSize(PARALLEL);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
