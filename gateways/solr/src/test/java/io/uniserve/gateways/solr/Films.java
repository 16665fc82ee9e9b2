package io.uniserve.gateways.solr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** The 1,100 films of Solr's examples, as {@code src/test/solr} has them, too. */
final class Films {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The films' table, of five actors; its changes are seen after a commit. */
  static final TableDefinition TABLE = table(5, 3_600_000);

  private Films() {}

  static TableDefinition table(int actors, long refreshIntervalMillis) {
    Map<String, Object> names = Map.of("type", "keyword", "multiValued", true);
    Map<String, Object> fields =
        Map.of(
            "name", Map.of("type", "text"),
            "directed_by", names,
            "genre", names,
            "initial_release_date", Map.of("type", "date"),
            "year", Map.of("type", "long"),
            "rating", Map.of("type", "double"));
    return new TableDefinition(
        "films",
        "search",
        new Partitioner.Hash(actors),
        1,
        Durability.NONE,
        Map.of(
            "fields",
            fields,
            "defaultField",
            "name",
            "refreshIntervalMillis",
            refreshIntervalMillis));
  }

  /** All of them, as an update. */
  static String json() {
    ArrayNode films;
    try (InputStream in = Films.class.getResourceAsStream("/films.json")) {
      films = (ArrayNode) JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    films.forEach(film -> complete((ObjectNode) film));
    return films.toString();
  }

  private static void complete(ObjectNode film) {
    film.remove("film_vector");
    JsonNode released = film.get("initial_release_date");
    if (released != null) {
      film.put("year", Integer.parseInt(released.asText().substring(0, 4)));
    }
    film.put("rating", film.get("name").asText().length() % 40 / 4.0);
  }
}
