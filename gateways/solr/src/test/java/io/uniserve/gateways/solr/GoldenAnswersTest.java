package io.uniserve.gateways.solr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that answers equal those of Solr 9.10.1 about the same films ({@code src/test/solr}). */
class GoldenAnswersTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double SCORE_TOLERANCE = 1e-5;

  @TempDir static Path directory;
  private static LocalSolr solr;

  @BeforeAll
  static void load() {
    solr = new LocalSolr(Films.TABLE, directory);
    assertThat(solr.update(Films.json()).status()).isEqualTo(200);
  }

  @AfterAll
  static void close() {
    solr.close();
  }

  static List<String> recordings() throws IOException, URISyntaxException {
    try (Stream<Path> files =
        Files.list(Path.of(GoldenAnswersTest.class.getResource("/golden").toURI()))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void answersAsSolrDid(String recording) throws IOException {
    JsonNode recorded =
        JSON.readTree(GoldenAnswersTest.class.getResourceAsStream("/golden/" + recording));
    String request = recorded.get("request").asText();

    LocalSolr.Answer answer = solr.get(request);

    assertThat(answer.status()).as(answer.error()).isEqualTo(recorded.get("status").asInt());
    ObjectNode expected = comparable(recorded.get("answer"));
    if (expected.has("response")
        && request.contains("&sort=")
        && !request.contains("&sort=score")) {
      // The best score is known here only if the search was ordered by it.
      ((ObjectNode) expected.get("response")).remove("maxScore");
    }
    assertSame("", expected, comparable(answer.json()));
  }

  /** Without what differs from run to run, or is told in words of one's own. */
  private static ObjectNode comparable(JsonNode answer) {
    ObjectNode comparable = answer.deepCopy();
    if (comparable.get("responseHeader") instanceof ObjectNode header) {
      header.remove("QTime");
    }
    if (comparable.get("error") instanceof ObjectNode error) {
      assertThat(error.get("msg").asText()).isNotBlank();
      assertThat(error.get("metadata")).hasSize(4);
      error.remove("msg");
      error.remove("metadata");
      comparable.remove("response"); // Solr shows what it had found when a facet failed
    }
    if (comparable.has("nextCursorMark")) {
      comparable.put("nextCursorMark", "some text");
    }
    if (comparable.path("status").asText().equals("OK")) {
      comparable.remove("responseHeader"); // Solr shows how its ping is configured
    }
    return comparable;
  }

  private static void assertSame(String where, JsonNode expected, JsonNode actual) {
    if (where.endsWith("/score") || where.endsWith("/maxScore")) {
      assertThat(actual.asDouble())
          .as(where)
          .isCloseTo(expected.asDouble(), offset(SCORE_TOLERANCE));
    } else if (expected.isObject()) {
      assertThat(actual.fieldNames())
          .toIterable()
          .as(where)
          .containsExactlyInAnyOrderElementsOf(expected::fieldNames);
      expected
          .fieldNames()
          .forEachRemaining(
              name -> assertSame(where + "/" + name, expected.get(name), actual.get(name)));
    } else if (expected.isArray()) {
      assertThat(actual).as(where).hasSameSizeAs(expected);
      for (int i = 0; i < expected.size(); i++) {
        assertSame(where + "/" + i, expected.get(i), actual.get(i));
      }
    } else {
      assertThat(actual).as(where).isEqualTo(expected);
    }
  }
}
