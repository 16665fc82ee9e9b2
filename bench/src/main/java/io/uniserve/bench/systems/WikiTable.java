package io.uniserve.bench.systems;

import io.uniserve.bench.tasks.TaskTranslation;
import java.util.Map;

/** The table of the benchmark's documents in Uniserve: the same fields as in every other system. */
public final class WikiTable {

  public static final String NAME = "wiki";
  public static final int ACTORS = 4;

  private WikiTable() {}

  /** The schema, as the search engine reads it. */
  public static Map<String, Object> schema() {
    return Map.of(
        "fields",
        Map.of(
            "title",
            Map.of("type", "text"),
            "body",
            Map.of("type", "text"),
            TaskTranslation.NUMBER_FIELD,
            Map.of("type", "long", "stored", false, "sortable", false, "facet", false)),
        "defaultField",
        "body",
        "writeBufferMegabytes",
        64L);
  }
}
