package io.uniserve.node.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.node.access.Access;
import io.uniserve.node.access.Rights;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.access.Tokens;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The knowledge that a caller gets who may write to a warehouse and not read it. */
@Timeout(120)
class WriteOnlyTest {
  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir private Path directory;
  private EmbeddedCluster cluster;
  private HttpService service;
  private String writer;
  private String both;

  @BeforeEach
  void start() throws Exception {
    cluster = EmbeddedCluster.start(directory.resolve("data"), 1, new WarehouseEngine());
    Map<String, Object> table =
        Map.of(
            "columns",
            Map.of("id", "bigint not null", "name", "varchar", "n", "integer"),
            "partitionBy",
            "id");
    cluster
        .client()
        .createTable(
            new TableDefinition(
                "people",
                "warehouse",
                new Partitioner.Hash(2),
                1,
                Durability.NONE,
                Map.of("tables", Map.of("people", table))),
            Duration.ofSeconds(60));
    TokenFile tokens = new TokenFile(directory.resolve("tokens"));
    TreeSet<String> people = new TreeSet<>(Set.of("people"));
    writer = tokens.create("writer", new Rights(false, new TreeSet<>(), people));
    both = tokens.create("both", new Rights(false, people, people));
    service =
        new HttpService(
            cluster.client(),
            List.of(),
            HttpSettings.onPort(0).secured(Access.byToken(new Tokens(tokens)), Optional.empty()));
    assertThat(send(writer, "insert into people (id, name, n) values (1, 'TOPSECRET', 7)"))
        .contains("[1]");
  }

  @AfterEach
  void stop() {
    service.close();
    cluster.close();
    http.close();
  }

  private String send(String token, String sql) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + service.port() + "/api/tables/people/query"))
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofByteArray(Json.bytes(Map.of("query", sql))))
            .build();
    HttpResponse<String> response =
        http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    return response.statusCode() + " " + response.body();
  }

  @Test
  void nothingThatTellsOfValues() throws Exception {
    for (String sql :
        List.of(
            "update people set n = cast(name as integer)",
            "update people set n = 1 where name > 'M'",
            "delete from people where name like 'T%'",
            "delete from people",
            "insert into people (id, name, n) select id + 1, name, n from people",
            "select * from people",
            "explain select * from people where name = 'x'",
            "explain analyze select * from people",
            "explain update people set n = 1",
            "select 1")) {
      assertThat(send(writer, sql))
          .as(sql)
          .startsWith("403 ")
          .contains("may not read table 'people'")
          .doesNotContain("TOPSECRET");
    }
    assertThat(send(both, "select id, name, n from people"))
        .as("nothing of that was done")
        .contains("[[1,\"TOPSECRET\",7]]");
  }

  @Test
  void whatIsWrongWithWhatWasSent() throws Exception {
    assertThat(send(writer, "insert into people (id, name, n) values (2, 'x', 'mine')"))
        .startsWith("400 ")
        .contains("mine");
    assertThat(send(writer, "insert into people (id, name, n) values (2, 'x', 3), (3, 'y', 4)"))
        .startsWith("200 ")
        .contains("[2]");
  }

  @Test
  void whoMayReadIsToldAll() throws Exception {
    assertThat(send(both, "update people set n = cast(name as integer)"))
        .startsWith("400 ")
        .contains("TOPSECRET");
    assertThat(send(both, "explain select * from people")).startsWith("200 ");
    assertThat(send(both, "update people set n = 8 where name = 'TOPSECRET'")).contains("[1]");
  }
}
