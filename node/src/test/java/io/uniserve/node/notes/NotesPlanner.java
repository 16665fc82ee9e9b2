package io.uniserve.node.notes;

import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A planner for which a query is a part of a text; its answer has the total and, ordered by id, at
 * most {@code rows} hits.
 */
final class NotesPlanner implements Planner {
  @Override
  public Plan<?> plan(TableDefinition table, String query, Map<String, String> options) {
    Map<String, String> unknown = new TreeMap<>(options);
    int rows = Integer.parseInt(unknown.getOrDefault("rows", "10"));
    unknown.remove("rows");
    if (!unknown.isEmpty()) {
      throw UniserveException.invalid(
          "unknown option '" + unknown.keySet().iterator().next() + "'");
    }
    if (query.equals("defect")) {
      throw new AssertionError("a planner's defect");
    }
    Operator.Combine<Note, Object> combine = () -> new Hits(rows);
    return Plan.query(table.name(), new FindNotes(query), combine);
  }

  private static final class Hits implements Operator.Combiner<Note, Object> {
    private final TreeMap<String, Object> hits = new TreeMap<>();
    private final int rows;

    Hits(int rows) {
      this.rows = rows;
    }

    @Override
    public void add(int actor, Note value) {
      hits.put(value.id(), Map.of("id", value.id(), "fields", Map.of("text", value.text())));
    }

    @Override
    public Object result() {
      return Map.of(
          "total", (long) hits.size(), "hits", hits.values().stream().limit(rows).toList());
    }
  }

  @Override
  public List<? extends PartitionedRecord> records(
      TableDefinition table, List<Map<String, Object>> rows) {
    List<Note> notes = new ArrayList<>();
    for (Map<String, Object> row : rows) {
      if (!(row.get("id") instanceof String id)) {
        throw new RejectedRowException(notes.size(), "'id' must be a string");
      }
      if (!(row.get("text") instanceof String text)) {
        throw new RejectedRowException(notes.size(), "'text' must be a string");
      }
      notes.add(new Note(id, text));
    }
    return notes;
  }

  @Override
  public UpdateFunction<?, ?> load(TableDefinition table) {
    return new PutNotes();
  }
}
