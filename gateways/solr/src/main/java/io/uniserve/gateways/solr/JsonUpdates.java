package io.uniserve.gateways.solr;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.uniserve.api.Excerpt;
import io.uniserve.api.UniserveException;
import io.uniserve.surfaces.JsonProblem;
import io.uniserve.surfaces.OutsideText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads updates in JSON: arrays of documents, and objects of commands. Commands are read one after
 * another, so that an object may hold any number of the same name, as clients send them.
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
   * @param body in UTF-8
   * @param commands whether an object holds commands; otherwise it is a document
   */
  static void read(byte[] body, boolean commands, Update update) throws IOException {
    try (JsonParser in = JSON.createParser(body)) {
      while (in.nextToken() != null) {
        if (commands && in.currentToken() == JsonToken.START_OBJECT) {
          while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            command(name, value(in), update);
          }
        } else {
          list(value(in)).forEach(update::add);
        }
      }
    } catch (JsonProcessingException e) {
      throw malformed(JsonProblem.describe(e));
    }
  }

  private static UniserveException malformed(String why) {
    return UniserveException.invalid("malformed JSON: " + why);
  }

  /** The value at which the parser stands. Its depth is bounded by the parser. */
  private static Object value(JsonParser in) throws IOException {
    return switch (in.currentToken()) {
      case START_OBJECT -> object(in);
      case START_ARRAY -> {
        List<Object> values = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          values.add(value(in));
        }
        yield values;
      }
      case VALUE_STRING -> OutsideText.requireWhole(in.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(in.getNumberValue());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private static Number number(Number read) {
    return read instanceof Integer ? (Long) read.longValue() : read;
  }

  private static Map<String, Object> object(JsonParser in) throws IOException {
    Map<String, Object> members = new LinkedHashMap<>();
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = OutsideText.requireWhole(in.currentName());
      in.nextToken();
      if (members.containsKey(name)) {
        int line = in.currentTokenLocation().getLineNr();
        throw malformed("'" + Excerpt.of(name) + "' is given twice, line " + line);
      }
      members.put(name, value(in));
    }
    return members;
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
