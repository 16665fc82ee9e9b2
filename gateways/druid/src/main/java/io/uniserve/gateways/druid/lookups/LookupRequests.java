package io.uniserve.gateways.druid.lookups;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.lookup.Lookup;
import io.uniserve.engines.olap.query.DruidClient;
import io.uniserve.runtime.client.UniserveClient;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The coordinator's requests about lookups. Druid loads lookups by tiers of servers; here every
 * process has all of them, as those of the tier {@value #TIER}.
 */
public final class LookupRequests {
  private static final String TIER = "__default";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final LookupStore store;

  /** Makes what answers the requests. */
  public LookupRequests(UniserveClient client, DruidClient druid) {
    store = new LookupStore(client, druid);
  }

  /**
   * Answers a request.
   *
   * @param path the rest of the address: {@code config} or {@code status}, a tier, a lookup
   */
  public void answer(String method, String path, byte[] body, HttpServletResponse response)
      throws IOException {
    List<String> parts = List.of(path.split("/"));
    String asked = method + " " + parts.getFirst() + " " + (parts.size() - 1);
    if (parts.size() > 1 && !parts.get(1).equals(TIER) && !path.equals("config/all")) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND,
          "there is no tier '"
              + Excerpt.of(parts.get(1))
              + "' of lookups: every process has all, in the tier '"
              + TIER
              + "'");
    }
    switch (asked) {
      case "GET config 0" -> write(response, store.all().isEmpty() ? List.of() : List.of(TIER));
      case "GET config 1" ->
          write(
              response,
              path.equals("config/all")
                  ? Map.of(TIER, specs())
                  : new ArrayList<>(store.all().keySet()));
      case "GET config 2" -> write(response, LookupSpec.of(known(parts.get(2))));
      case "POST config 0" -> {
        putAll(body);
        response.setStatus(HttpServletResponse.SC_ACCEPTED);
        write(response, JSON.readTree(body));
      }
      case "POST config 2" -> {
        put(List.of(LookupSpec.read(parts.get(2), read(body))));
        response.setStatus(HttpServletResponse.SC_ACCEPTED);
      }
      case "DELETE config 2" -> {
        store.delete(known(parts.get(2)).name());
        response.setStatus(HttpServletResponse.SC_ACCEPTED);
      }
      case "DELETE config 1" -> {
        store.all().keySet().forEach(store::delete);
        response.setStatus(HttpServletResponse.SC_ACCEPTED);
      }
      case "GET status 0" -> write(response, Map.of(TIER, loaded()));
      case "GET status 1" -> write(response, loaded());
      case "GET status 2" -> write(response, loaded(known(parts.get(2)).name()));
      default ->
          throw new UniserveException(
              ErrorCode.NOT_FOUND,
              "lookups have no "
                  + Excerpt.of(method + " " + path)
                  + "; there are config, config/all and status, of a tier, and of a lookup");
    }
  }

  private Map<String, Object> specs() {
    Map<String, Object> specs = new TreeMap<>();
    store.all().forEach((name, lookup) -> specs.put(name, LookupSpec.of(lookup)));
    return specs;
  }

  private Map<String, Object> loaded() {
    Map<String, Object> loaded = new TreeMap<>();
    store.all().keySet().forEach(name -> loaded.put(name, loaded(name)));
    return loaded;
  }

  private static Map<String, Object> loaded(String name) {
    return Map.of("loaded", true, "pendingNodes", List.of());
  }

  private Lookup known(String name) {
    Lookup lookup = store.all().get(name);
    if (lookup == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "there is no lookup '" + Excerpt.of(name) + "'");
    }
    return lookup;
  }

  private static JsonNode read(byte[] body) {
    try {
      JsonNode read = JSON.readTree(body);
      if (read.isObject()) {
        return read;
      }
    } catch (IOException e) {
      throw UniserveException.invalid("the body is no JSON: " + e.getMessage());
    }
    throw UniserveException.invalid("the body is no object of JSON");
  }

  private void putAll(byte[] body) {
    List<Lookup> lookups = new ArrayList<>();
    for (Map.Entry<String, JsonNode> tier : read(body).properties()) {
      if (!tier.getKey().equals(TIER)) {
        throw new UniserveException(
            ErrorCode.UNSUPPORTED,
            "the tier '"
                + Excerpt.of(tier.getKey())
                + "' of lookups is not supported: there is '"
                + TIER
                + "'");
      }
      tier.getValue()
          .properties()
          .forEach(each -> lookups.add(LookupSpec.read(each.getKey(), each.getValue())));
    }
    put(lookups);
  }

  /** Stores lookups, or none if one of them is wrong. */
  private void put(List<Lookup> lookups) {
    Map<String, Lookup> all = store.all();
    lookups.forEach(each -> LookupStore.check(each, all));
    lookups.forEach(store::put);
  }

  private static void write(HttpServletResponse response, Object value) throws IOException {
    response.setContentType("application/json");
    JSON.writeValue(response.getOutputStream(), value);
  }
}
