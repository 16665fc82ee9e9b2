package io.uniserve.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.base.HttpSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Numbers of records are stored as they are written, or refused by the names of their fields. */
@Timeout(180)
class HttpNumbersTest {
  @TempDir static Path directory;
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static EmbeddedCluster cluster;
  private static HttpService service;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.start(directory, 1, new SearchEngine(), new WarehouseEngine());
    create(
        "films",
        SearchEngine.NAME,
        Map.of(
            "fields",
            Map.of(
                "gross",
                Map.of("type", "double"),
                "year",
                Map.of("type", "long"),
                "code",
                Map.of("type", "keyword"))));
    create(
        "sales",
        WarehouseEngine.NAME,
        Map.of(
            "columns",
            Map.of("id", "bigint not null", "d", "decimal(38,10)", "f", "double", "i", "integer"),
            "partitionBy",
            "id"));
    service = new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0));
  }

  private static void create(String name, String engine, Map<String, Object> schema) {
    TableDefinition table =
        new TableDefinition(name, engine, new Partitioner.Hash(2), 1, Durability.NONE, schema);
    cluster.client().createTable(table, Duration.ofSeconds(60));
  }

  @AfterAll
  static void stop() {
    service.close();
    cluster.close();
    HTTP.close();
  }

  @Test
  void aDoubleFieldTakesWholeNumbersBeyondThoseOfALong() throws Exception {
    for (String body :
        List.of(
            "{\"id\":\"1\",\"gross\":123456789012345678901234567890}",
            "[{\"id\":\"2\",\"gross\":-9223372036854775809,\"code\":99999999999999999999}]")) {
      assertThat(send("films/records?visible=true", body)).contains("\"stored\":1");
    }
    assertThat(send("films/query", "{\"query\":\"gross:[1e29 TO *]\"}"))
        .contains("\"total\":1")
        .contains("\"gross\":1.2345678901234568E29");
    assertThat(send("films/query", "{\"query\":\"code:99999999999999999999\"}"))
        .contains("\"gross\":-9.223372036854776E18");
  }

  @Test
  void aLongFieldRefusesThemByItsName() throws Exception {
    assertThat(send("films/records", "{\"id\":\"3\",\"year\":9223372036854775808}"))
        .contains("line 1: document '3': field 'year': '9223372036854775808' is not a whole");
    assertThat(send("films/records", "[\n{\"id\":\"3\",\"year\":[1927,9223372036854775808]}]"))
        .contains("line 2")
        .contains("'year'");
    assertThat(send("films/records", "{\"id\":\"3\",\"gross\":1e999}")).contains("too large");
  }

  @Test
  void aDecimalColumnKeepsAllDigits() throws Exception {
    String row =
        "{\"id\":7,\"d\":1234567890123456789.0123456789,\"f\":123456789012345678901,\"i\":3}";
    assertThat(send("sales/records", row)).contains("\"stored\":1");
    assertThat(send("sales/query", "{\"query\":\"select d, f, i from sales where id = 7\"}"))
        .contains("[\"1234567890123456789.0123456789\",1.2345678901234568E20,3]");
    assertThat(send("sales/records", "{\"id\":8,\"i\":9223372036854775808}"))
        .contains("column 'i': 9223372036854775808 is no INTEGER");
  }

  private static String send(String path, String body) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + service.port() + "/api/tables/" + path);
    HttpRequest request = HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build();
    HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
    return response.body();
  }
}
