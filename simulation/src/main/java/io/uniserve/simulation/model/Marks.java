package io.uniserve.simulation.model;

import io.uniserve.api.TableDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the schema of a model table says: marks, which come and go one by one. No mark comes twice.
 *
 * @param revision how many have come or gone
 * @param ids of those that there are, in the order in which they came
 */
public record Marks(long revision, List<Long> ids) {
  /** Copies the list. */
  public Marks {
    ids = List.copyOf(ids);
  }

  /** Those of a table. */
  public static Marks of(TableDefinition table) {
    List<Long> ids = new ArrayList<>();
    ((List<?>) table.schema().getOrDefault("marks", List.of()))
        .forEach(id -> ids.add(((Number) id).longValue()));
    return new Marks(((Number) table.schema().getOrDefault("revision", 0)).longValue(), ids);
  }

  /** The table with these in the place of its own. */
  public TableDefinition on(TableDefinition table) {
    Map<String, Object> schema = new LinkedHashMap<>(); // of the same order in every JVM
    schema.put("revision", revision);
    schema.put("marks", ids);
    return table.withSchema(schema);
  }

  /** After one more has come. */
  public Marks with(long id) {
    List<Long> more = new ArrayList<>(ids);
    more.add(id);
    return new Marks(revision + 1, more);
  }

  /** After one has gone. */
  public Marks without(long id) {
    return new Marks(revision + 1, hidden(id).ids);
  }

  /** The same without one that is to go. */
  public Marks hidden(long id) {
    return new Marks(revision, ids.stream().filter(one -> one != id).toList());
  }
}
