package io.uniserve.node.solr;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.gateways.solr.SolrGateway;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.solr.client.solrj.SolrClient;
import org.apache.solr.client.solrj.SolrQuery;
import org.apache.solr.client.solrj.SolrQuery.ORDER;
import org.apache.solr.client.solrj.SolrServerException;
import org.apache.solr.client.solrj.impl.HttpJdkSolrClient;
import org.apache.solr.client.solrj.response.QueryResponse;
import org.apache.solr.common.SolrInputDocument;
import org.apache.solr.common.params.CursorMarkParams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SolrJ against a cluster of three servers with two copies of everything, over HTTP. */
class SolrClientsTest {
  private static final int DOCUMENTS = 500;

  @TempDir Path directory;
  private EmbeddedCluster cluster;
  private HttpService http;
  private SolrClient solr;

  @BeforeEach
  void start() throws Exception {
    cluster = EmbeddedCluster.start(directory, 3, new SearchEngine());
    http = new HttpService(cluster.client(), List.of(new SolrGateway()), HttpSettings.onPort(0));
    String url = "http://127.0.0.1:" + http.port() + "/solr";
    solr = new HttpJdkSolrClient.Builder(url).withDefaultCollection("notes").build();
    cluster.client().createTable(table(), Duration.ofSeconds(60));
    solr.add(IntStream.range(0, DOCUMENTS).mapToObj(SolrClientsTest::note).toList());
  }

  @AfterEach
  void stop() throws IOException {
    solr.close();
    http.close();
    cluster.close();
  }

  /** Returns a table whose changes are visible only after a commit. */
  private static TableDefinition table() {
    Map<String, Object> fields =
        Map.of("text", Map.of("type", "text"), "number", Map.of("type", "long"));
    Map<String, Object> schema =
        Map.of("fields", fields, "defaultField", "text", "refreshIntervalMillis", 3_600_000);
    return new TableDefinition(
        "notes", "search", new Partitioner.Hash(6), 2, Durability.NONE, schema);
  }

  private static SolrInputDocument note(int number) {
    String text = "note " + number + (number % 5 == 0 ? " fifth" : " other");
    return new SolrInputDocument("id", "n" + number, "text", text, "number", "" + number % 7);
  }

  private long count(String query) throws SolrServerException, IOException {
    return solr.query(new SolrQuery(query).setRows(0)).getResults().getNumFound();
  }

  @Test
  void aCommitIsSeenByEveryLaterQueryWhateverCopyAnswers() throws Exception {
    assertThat(count("fifth")).isZero();
    solr.commit();
    for (int i = 0; i < 100; i++) {
      assertThat(count("fifth")).isEqualTo(DOCUMENTS / 5);
    }

    solr.deleteByQuery("fifth");
    solr.deleteById("n1");
    solr.commit();
    for (int i = 0; i < 100; i++) {
      assertThat(count("*:*")).isEqualTo(DOCUMENTS - DOCUMENTS / 5 - 1);
    }
  }

  @Test
  void pagesAndCountsOverAllActors() throws Exception {
    solr.commit();
    SolrQuery query = new SolrQuery("note").setRows(64).setSort("number", ORDER.desc);
    query.addSort("id", ORDER.asc).setFacet(true).addFacetField("number");
    List<String> ids = new ArrayList<>();
    QueryResponse response;
    for (String mark = "*"; ; mark = response.getNextCursorMark()) {
      query.set(CursorMarkParams.CURSOR_MARK_PARAM, mark);
      response = solr.query(query);
      response.getResults().forEach(found -> ids.add((String) found.getFieldValue("id")));
      if (mark.equals(response.getNextCursorMark())) {
        break;
      }
    }

    assertThat(ids).hasSize(DOCUMENTS).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(ids)).contains("n0", "n499");
    assertThat(response.getFacetField("number").getValues())
        .hasSize(7)
        .allSatisfy(number -> assertThat(number.getCount()).isBetween(71L, 72L));
  }

  @Test
  void queriesGoOnWhenAServerDies() throws Exception {
    solr.commit();

    cluster.stopServer("s2");

    for (int i = 0; i < 200; i++) {
      assertThat(count("fifth")).isEqualTo(DOCUMENTS / 5);
    }
  }
}
