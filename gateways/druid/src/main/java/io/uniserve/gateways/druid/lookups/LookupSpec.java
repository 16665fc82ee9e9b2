package io.uniserve.gateways.druid.lookups;

import com.fasterxml.jackson.databind.JsonNode;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.lookup.Lookup;
import java.util.LinkedHashMap;
import java.util.Map;

/** A lookup as Druid's coordinator writes it: a version, and how its values are had. */
final class LookupSpec {
  private LookupSpec() {}

  /**
   * Reads a lookup.
   *
   * @throws UniserveException naming what is wrong, or what is not supported
   */
  static Lookup read(String name, JsonNode spec) {
    JsonNode factory = spec.path("lookupExtractorFactory");
    String type = factory.path("type").asText();
    if (!factory.isObject() || type.isEmpty()) {
      throw invalid(name, "has no lookupExtractorFactory with a type");
    }
    if (!type.equals("map")) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "lookup '"
              + Excerpt.of(name)
              + "' is of type '"
              + Excerpt.of(type)
              + "', which is not supported: there is 'map'");
    }
    if (!spec.path("version").isTextual()) {
      throw invalid(name, "has no version, a text that grows");
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each : factory.path("map").properties()) {
      if (!each.getValue().isTextual()) {
        throw invalid(
            name,
            "has a value that is no text: "
                + Excerpt.of(each.getKey())
                + " is "
                + Excerpt.of(each.getValue().toString()));
      }
      values.put(each.getKey(), each.getValue().textValue());
    }
    if (!factory.path("map").isObject()) {
      throw invalid(name, "has no map");
    }
    boolean oneToOne =
        factory.path("isOneToOne").asBoolean() || factory.path("injective").asBoolean();
    return new Lookup(name, spec.path("version").textValue(), oneToOne, values);
  }

  private static UniserveException invalid(String name, String what) {
    return UniserveException.invalid("lookup '" + Excerpt.of(name) + "' " + what);
  }

  /** Returns a lookup as Druid writes it. */
  static Map<String, Object> of(Lookup lookup) {
    Map<String, Object> factory = new LinkedHashMap<>();
    factory.put("type", "map");
    factory.put("map", lookup.values());
    factory.put("isOneToOne", lookup.oneToOne());
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("version", lookup.version());
    spec.put("lookupExtractorFactory", factory);
    return spec;
  }
}
