package io.uniserve.node.solr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.gateways.solr.SolrGateway;
import io.uniserve.node.access.Access;
import io.uniserve.node.access.Rights;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.access.Tokens;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.solr.client.solrj.SolrClient;
import org.apache.solr.client.solrj.SolrQuery;
import org.apache.solr.client.solrj.impl.HttpJdkSolrClient;
import org.apache.solr.common.SolrException;
import org.apache.solr.common.SolrInputDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Solr's clients with tokens as passwords, and refusals in Solr's form. */
class SolrAccessTest {
  @TempDir private Path directory;
  private EmbeddedCluster cluster;
  private HttpService service;
  private String reader;
  private String writer;

  @BeforeEach
  void start() {
    TokenFile tokens = new TokenFile(directory.resolve("tokens"));
    reader = tokens.create("reader", new Rights(false, tables("notes"), tables()));
    writer = tokens.create("writer", new Rights(false, tables("notes"), tables("notes")));
    cluster = EmbeddedCluster.start(directory.resolve("data"), 1, new SearchEngine());
    for (String table : List.of("notes", "other")) {
      cluster.client().createTable(definition(table), Duration.ofSeconds(60));
    }
    service =
        new HttpService(
            cluster.client(),
            List.of(new SolrGateway()),
            HttpSettings.onPort(0).secured(Access.byToken(new Tokens(tokens)), Optional.empty()));
  }

  private static TreeSet<String> tables(String... names) {
    return new TreeSet<>(Set.of(names));
  }

  private static TableDefinition definition(String name) {
    Map<String, Object> schema =
        Map.of("fields", Map.of("text", Map.of("type", "text")), "defaultField", "text");
    return new TableDefinition(name, "search", new Partitioner.Hash(2), 1, Durability.NONE, schema);
  }

  @AfterEach
  void stop() {
    service.close();
    cluster.close();
  }

  private String url() {
    return "http://127.0.0.1:" + service.port() + "/solr";
  }

  private SolrClient solr(String token) {
    return new HttpJdkSolrClient.Builder(url())
        .withDefaultCollection("notes")
        .withBasicAuthCredentials("solr", token)
        .build();
  }

  @Test
  void aTokenIsThePassword() throws Exception {
    try (SolrClient solr = solr(writer)) {
      solr.add(new SolrInputDocument("id", "1", "text", "hello"));
      solr.commit();
      assertThat(solr.query(new SolrQuery("hello")).getResults().getNumFound()).isEqualTo(1);
    }
    try (SolrClient solr = solr(reader)) {
      assertThat(solr.query(new SolrQuery("hello")).getResults().getNumFound()).isEqualTo(1);
      assertThat(solr.ping().getStatus()).isZero();
      assertThatThrownBy(() -> solr.add(new SolrInputDocument("id", "2", "text", "no")))
          .isInstanceOfSatisfying(SolrException.class, e -> assertThat(e.code()).isEqualTo(403))
          .hasMessageContaining("token 'reader' may not write table 'notes'");
      assertThatThrownBy(() -> solr.deleteByQuery("*:*"))
          .isInstanceOfSatisfying(SolrException.class, e -> assertThat(e.code()).isEqualTo(403));
      assertThatThrownBy(() -> solr.query("other", new SolrQuery("hello")))
          .isInstanceOfSatisfying(SolrException.class, e -> assertThat(e.code()).isEqualTo(403));
    }
    try (SolrClient solr = solr("uniserve_wrong")) {
      assertThatThrownBy(() -> solr.query(new SolrQuery("hello")))
          .isInstanceOfSatisfying(SolrException.class, e -> assertThat(e.code()).isEqualTo(401))
          .hasMessageContaining("no such token");
    }
  }

  @Test
  void refusalsHaveSolrsForm() throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (String path : List.of("/notes/select?q=x", "/admin/ping", "/nowhere/select")) {
        HttpResponse<String> answer =
            http.send(
                HttpRequest.newBuilder(URI.create(url() + path)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate"))
            .contains("Basic realm=\"uniserve\"");
        Settings document = new Settings("answer", Json.parse(answer.body()));
        assertThat(document.object("responseHeader")).containsEntry("status", 401L);
        assertThat(document.object("error"))
            .containsEntry("code", 401L)
            .containsKeys("msg", "metadata");
      }
    }
  }
}
