package io.uniserve.gateways.solr;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.uniserve.engines.search.AddDocuments;
import io.uniserve.engines.search.DeleteById;
import io.uniserve.engines.search.DeleteByQuery;
import io.uniserve.engines.search.Refresh;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Updates in JSON, XML and CSV, and when they become visible. */
class UpdateFormatsTest {
  private static final String CSV =
      """
      id,name,directed_by,genre,initial_release_date,year
      1,".45",Gary Lennon,Thriller|Drama,2006-11-30,2006
      2,"Love, again",,,,
      """;

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

  private List<String> ids() {
    JsonNode found = solr.get("/select?q=*:*&fl=id&sort=id+asc&rows=100").json();
    return StreamSupport.stream(found.at("/response/docs").spliterator(), false)
        .map(document -> document.get("id").asText())
        .toList();
  }

  private JsonNode film(String id) {
    return solr.get("/select?q=id:" + id).json().at("/response/docs/0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"id\":1},{\"id\":\"2\"}]",
        "{\"add\":{\"doc\":{\"id\":\"1\"}},\"commit\":{}} {\"add\":{\"doc\":{\"id\":\"2\"}}}",
        "{\"add\":[{\"id\":\"1\"},{\"id\":\"2\"},{\"id\":\"3\"}],\"delete\":\"3\"}",
        "{\"add\":[{\"id\":\"1\"},{\"id\":\"2\"},{\"id\":\"3\"}],\"delete\":{\"id\":\"3\"}}",
        "{\"add\":[{\"id\":\"1\"},{\"id\":\"2\"},{\"id\":\"3\"}],\"delete\":{\"query\":\"id:3\"}}",
        "{\"delete\":[\"1\",2],\"add\":[{\"id\":\"1\"},{\"id\":\"2\"}],\"optimize\":{}}",
        "{\"add\":{\"doc\":{\"id\":\"1\"},\"commitWithin\":10,\"overwrite\":true}}[{\"id\":2}]",
        "{\"add\":{\"doc\":{\"id\":1}},\"add\":{\"doc\":{\"id\":2}},\"commit\":{}}",
        "{\"add\":{\"doc\":{\"id\":2}},\"delete\":{\"query\":\"*:*\"},\"add\":[{\"id\":1}],\"add\":[{\"id\":2}]}",
        "\ufeff[{\"id\":1},{\"id\":\"2\"}]"
      })
  void readsJson(String body) {
    assertThat(solr.post("/update?commit=true", "application/json", body).status()).isEqualTo(200);

    assertThat(ids()).containsExactly("1", "2");
  }

  @Test
  void readsDocumentsThatAreNoCommands() {
    String lines = "{\"id\":\"1\",\"name\":\"a\"}\n{\"id\":\"2\",\"name\":\"b\"}\n";

    assertThat(solr.post("/update/json/docs?commit=true", "text/json", lines).status())
        .isEqualTo(200);
    assertThat(ids()).containsExactly("1", "2");
    assertThat(film("2").get("name").asText()).isEqualTo("b");
    assertThat(
            solr.post(
                    "/update?json.command=false&commit=true", "application/json", "{\"id\":\"3\"}")
                .status())
        .isEqualTo(200);
    assertThat(ids()).containsExactly("1", "2", "3");
  }

  @Test
  void bodiesThatCurlCallsFormsAreReadByTheirPath() {
    String form = "application/x-www-form-urlencoded";

    assertThat(solr.post("/update/json?commit=true", form, "[{\"id\":\"1\"}]").status())
        .isEqualTo(200);
    assertThat(solr.post("/update/csv?commit=true", form, "id\n2\n").status()).isEqualTo(200);
    assertThat(solr.post("/update", form, "[{\"id\":\"3\"}]").status()).isEqualTo(400);
    assertThat(solr.post("/update", form, "commit=true").status()).isEqualTo(200);

    assertThat(ids()).containsExactly("1", "2");
  }

  @Test
  void readsCsv() {
    String split = "&f.genre.split=true&f.genre.separator=%7C";

    LocalSolr.Answer answer = solr.post("/update/csv?commit=true" + split, "text/csv", CSV);

    assertThat(answer.status()).as(answer.error()).isEqualTo(200);
    assertThat(film("1").toString())
        .contains("\"name\":\".45\"", "\"genre\":[\"Thriller\",\"Drama\"]", "\"year\":2006")
        .contains("\"initial_release_date\":\"2006-11-30T00:00:00Z\"");
    assertThat(film("2").toString()).isEqualTo("{\"id\":\"2\",\"name\":\"Love, again\"}");
  }

  @Test
  void readsCsvWithAnotherSeparator() {
    solr.post("/update?commit=true&separator=%09", "text/csv", "id\tname\n1\ta, b\n");

    assertThat(film("1").get("name").asText()).isEqualTo("a, b");
  }

  @Test
  void readsXml() {
    String add =
        """
        <add commitWithin="1000" overwrite="true">
          <doc>
            <field name="id">1</field><field name="name">Love &amp; <![CDATA[<war>]]></field>
            <field name="genre">Drama</field><field name="genre">War</field>
            <field name="genre">Comedy</field><field name="year">1999</field>
          </doc>
          <doc><field name="id">2</field></doc>
          <doc><field name="id">3</field></doc>
        </add>""";

    assertThat(solr.post("/update", "text/xml; charset=utf-8", add).status()).isEqualTo(200);
    assertThat(
            solr.post(
                    "/update",
                    "application/xml",
                    "<update><delete><id>2</id><query>id:3</query></delete><commit/></update>")
                .status())
        .isEqualTo(200);

    assertThat(ids()).containsExactly("1");
    assertThat(film("1").toString())
        .contains("\"Love & <war>\"", "[\"Drama\",\"War\",\"Comedy\"]", "\"year\":1999");
  }

  @Test
  void appliesWhatARequestHoldsInItsOrder() {
    solr.update("{\"add\":[{\"id\":\"1\"}],\"delete\":{\"query\":\"*:*\"}} [{\"id\":\"2\"}]");

    assertThat(solr.client.updates)
        .extracting(Object::getClass)
        .containsExactly(
            AddDocuments.class, DeleteByQuery.class, AddDocuments.class, Refresh.class);
    assertThat(ids()).containsExactly("2");
  }

  @Test
  void aCommitIsSeenOnAllCopies() {
    solr.post("/update?softCommit=true", "application/json", "{\"delete\":[\"1\"]}");

    assertThat(solr.client.updates)
        .extracting(Object::getClass)
        .containsExactly(DeleteById.class, Refresh.class);
    assertThat(solr.client.updateOptions)
        .extracting(UpdateOptions::acknowledgement)
        .containsExactly(Acknowledgement.PRIMARY, Acknowledgement.ALL_COPIES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?commitWithin=36000000",
        "?commit=false&softCommit=false",
        "?commit=true&openSearcher=false&waitSearcher=true"
      })
  void nothingIsMadeVisibleThatNeedNotBe(String parameters) {
    assertThat(solr.post("/update" + parameters, "application/json", "[{\"id\":\"1\"}]").status())
        .isEqualTo(200);

    assertThat(solr.client.updates).containsExactly(new AddDocuments());
    assertThat(ids()).isEmpty();
  }

  @Test
  void commitWithinIsKeptByATableThatMakesChangesVisibleSooner() {
    try (LocalSolr fresh = new LocalSolr(Films.table(2, 1000), directory.resolve("fresh"))) {
      fresh.post("/update?commitWithin=10000", "application/json", "[{\"id\":\"1\"}]");
      assertThat(fresh.client.updates).containsExactly(new AddDocuments());

      fresh.post("/update?commitWithin=9999", "application/json", "[{\"id\":\"2\"}]");
      assertThat(fresh.client.updates).last().isEqualTo(new Refresh());
    }
  }

  @Test
  void textOfEveryKindSurvives() {
    String name = "\u2028 \"quoted\" \\ tab\\t caf\u00e9 \ud83c\udfac \u0000 </script>";
    String json = "[{\"id\":\"\ud83c\udfac/1\",\"name\":%s}]".formatted(quoted(name));

    assertThat(solr.post("/update?commit=true", "application/json", json).status()).isEqualTo(200);

    JsonNode found = solr.get("/select?q=*:*").json().at("/response/docs/0");
    assertThat(found.get("id").asText()).isEqualTo("\ud83c\udfac/1");
    assertThat(found.get("name").asText()).isEqualTo(name);
  }

  private static String quoted(String text) {
    return TextNode.valueOf(text).toString();
  }
}
