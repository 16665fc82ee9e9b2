package io.uniserve.gateways.solr;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.uniserve.api.UniserveException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads updates in JSON: arrays of documents, and objects of commands. */
final class JsonUpdates {
  private static final int DEPTH_MAX = 200;
  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH_MAX)
                          .maxTokenCount(2L * Update.VALUES_MAX)
                          .build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private JsonUpdates() {}

  /**
   * @param commands whether an object holds commands; otherwise it is a document
   */
  static void read(byte[] body, boolean commands, Update update) throws IOException {
    try (JsonParser in = JSON.createParser(body)) {
      while (in.nextToken() != null) {
        Object value = in.readValueAs(Object.class);
        if (commands && value instanceof Map<?, ?> map) {
          map.forEach((name, options) -> command("" + name, options, update));
        } else {
          list(value).forEach(update::add);
        }
      }
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation(); // what exceeds a bound has none
      String place = at == null ? "" : ", line " + at.getLineNr();
      throw UniserveException.invalid("malformed JSON: " + e.getOriginalMessage() + place);
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
      default -> throw UniserveException.invalid("Unknown command '" + name + "'");
    }
    update.command(options);
  }
}
