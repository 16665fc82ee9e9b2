package io.uniserve.gateways.solr;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.surfaces.JsonProblem;
import io.uniserve.surfaces.JsonValues;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The reader of updates in JSON: arrays of documents, and objects of commands. Commands are read
 * one after another, since clients send objects with several commands of the same name.
 */
final class JsonUpdates {
  private static final int DEPTH_MAX = 200;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxTokenCount(2L * Update.VALUES_MAX)
                  .build())
          .build();

  private JsonUpdates() {}

  /**
   * Reads a body.
   *
   * @param body the body in UTF-8
   * @param commands true if an object holds commands; otherwise it is a document
   */
  static void read(byte[] body, boolean commands, Update update) throws IOException {
    try (JsonParser in = JSON.createParser(body)) {
      while (in.nextToken() != null) {
        if (commands && in.currentToken() == JsonToken.START_OBJECT) {
          while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            command(name, JsonValues.read(in), update);
          }
        } else {
          list(JsonValues.read(in)).forEach(update::add);
        }
      }
    } catch (JsonProcessingException e) {
      throw UniserveException.invalid("malformed JSON: " + JsonProblem.describe(e));
    }
  }

  private static List<?> list(Object value) {
    return value instanceof List<?> several ? several : Arrays.asList(value);
  }

  private static void command(String name, Object value, Update update) {
    Map<?, ?> plain = Collections.singletonMap(name.equals("add") ? "doc" : "id", value);
    Map<?, ?> options = new LinkedHashMap<>(value instanceof Map<?, ?> given ? given : plain);
    switch (name) {
      case "add" -> list(options.remove("doc")).forEach(update::add);
      case "delete" -> {
        if (options.containsKey("query")) {
          update.deleteMatching(options.remove("query"));
        } else {
          update.delete(list(options.remove("id")));
        }
      }
      case "commit", "optimize" -> update.command(Map.of("commit", true));
      default -> throw UniserveException.invalid("Unknown command '" + Excerpt.of(name) + "'");
    }
    update.command(options);
  }
}
