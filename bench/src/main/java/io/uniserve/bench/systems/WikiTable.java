package io.uniserve.bench.systems;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.Durability;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.tasks.TaskTranslation;
import io.uniserve.bench.tasks.Workload;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The table of the benchmark's documents in Uniserve, with the same fields as in every other
 * system.
 */
public final class WikiTable {

  public static final String NAME = "wiki";
  public static final int ACTORS = 4;

  /** The size of the write buffer, the same as in every other system. */
  public static final long WRITE_BUFFER_MEGABYTES = 64;

  private WikiTable() {}

  /**
   * Returns the schema in the form that the search engine reads.
   *
   * @param writeBufferMegabytes the memory of each actor for changes that are not in files yet
   */
  public static Map<String, Object> schema(long writeBufferMegabytes) {
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
        writeBufferMegabytes);
  }

  /** Creates the table in a running cluster, one copy of each actor. */
  public static void create(
      UniserveProgram program, Durability durability, long writeBufferMegabytes) {
    program.run(
        "table",
        "create",
        NAME,
        "--schema",
        json(writeBufferMegabytes),
        "--actors",
        Integer.toString(ACTORS),
        "--replicas",
        "1",
        "--durability",
        durability.name().toLowerCase(Locale.ROOT));
  }

  /** Returns the number of documents that the table in a running cluster shows. */
  public static long count(UniserveProgram program) {
    HttpSearch.Dialect plain = new HttpSearch.Dialect("", Map.of());
    try (HttpSearch search = new HttpSearch(List.of(program.address()), NAME, plain)) {
      return search.answer(Workload.Answers.COUNT, "*:*").count();
    }
  }

  private static String json(long writeBufferMegabytes) {
    try {
      return new ObjectMapper().writeValueAsString(schema(writeBufferMegabytes));
    } catch (JsonProcessingException e) {
      throw new BenchException("Cannot write the schema as JSON", e);
    }
  }
}
