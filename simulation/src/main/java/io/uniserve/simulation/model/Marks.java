package io.uniserve.simulation.model;

import io.uniserve.api.TableDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The schema of a model table: marks, which come and go one by one. No mark comes twice.
 *
 * @param revision the number of marks that have come or gone
 * @param ids the ids of the present ones, in the order in which they came
 */
public record Marks(long revision, List<Long> ids) {
  /** Copies the list. */
  public Marks {
    ids = List.copyOf(ids);
  }

  /** Returns the marks of a table. */
  public static Marks of(TableDefinition table) {
    List<Long> ids = new ArrayList<>();
    ((List<?>) table.schema().getOrDefault("marks", List.of()))
        .forEach(id -> ids.add(((Number) id).longValue()));
    return new Marks(((Number) table.schema().getOrDefault("revision", 0)).longValue(), ids);
  }

  /** Returns the table with these marks in place of its own. */
  public TableDefinition on(TableDefinition table) {
    Map<String, Object> schema = new LinkedHashMap<>(); // a map with the same order in every JVM
    schema.put("revision", revision);
    schema.put("marks", ids);
    return table.withSchema(schema);
  }

  /** Returns the marks after one more has come. */
  public Marks with(long id) {
    List<Long> more = new ArrayList<>(ids);
    more.add(id);
    return new Marks(revision + 1, more);
  }

  /** Returns the marks after one has gone. */
  public Marks without(long id) {
    return new Marks(revision + 1, hidden(id).ids);
  }

  /** Returns the same marks without one that is to go. */
  public Marks hidden(long id) {
    return new Marks(revision, ids.stream().filter(one -> one != id).toList());
  }
}
