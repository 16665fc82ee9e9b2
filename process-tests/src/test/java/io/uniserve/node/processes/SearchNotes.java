package io.uniserve.node.processes;

import java.util.Map;

/** A table "notes" of the search engine, with two copies of each actor. */
final class SearchNotes {
  private SearchNotes() {}

  /**
   * Returns the definition of the table for HTTP.
   *
   * @param refreshIntervalMillis the longest time until an update is found
   */
  static Map<String, Object> table(long actors, long refreshIntervalMillis) {
    return Map.of(
        "name",
        "notes",
        "engine",
        "search",
        "actors",
        actors,
        "replicas",
        2L,
        "schema",
        Map.of(
            "fields",
            Map.of("text", Map.of("type", "text")),
            "defaultField",
            "text",
            "refreshIntervalMillis",
            refreshIntervalMillis));
  }
}
