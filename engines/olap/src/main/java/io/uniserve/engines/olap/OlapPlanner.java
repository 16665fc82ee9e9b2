package io.uniserve.engines.olap;

import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.engines.olap.page.PagePlan;
import io.uniserve.engines.olap.query.Replay;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.rows.OlapSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The planner of Druid's native queries in JSON, which also makes rows of datasources. */
public final class OlapPlanner implements Planner {
  private static final int KNOWN_MAX = 1000;
  private static final Map<String, Known> KNOWN = new ConcurrentHashMap<>();

  /** A cached schema: reading one takes long. */
  private record Known(Map<String, Object> document, OlapSchema schema) {}

  /** Returns the schema of a table, which is read once. */
  public static OlapSchema schema(TableDefinition table) {
    Known known = KNOWN.get(table.name());
    if (known == null || known.document != table.schema()) {
      if (KNOWN.size() >= KNOWN_MAX) {
        KNOWN.clear();
      }
      known = new Known(table.schema(), OlapSchema.of(table));
      KNOWN.put(table.name(), known);
    }
    return known.schema;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The query is one of Druid's in JSON. It may name other tables, too. There are no options.
   */
  @Override
  public Plan<?> plan(TableDefinition table, String query, Map<String, String> options) {
    if (!options.isEmpty()) {
      throw UniserveException.invalid(
          "option '"
              + Excerpt.of(options.keySet().iterator().next())
              + "': a query of Druid has its options in its context");
    }
    return Replay.plan(query);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The key is the time of a row, the condition a filter of Druid in JSON, or an expression of
   * Druid.
   */
  @Override
  public ScanPlan scan(TableDefinition table, ScanRequest request) {
    return PagePlan.of(table, schema(table), request);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The text is a time, as {@code 2015-09-12T00:00:00Z}.
   */
  @Override
  public PartitionKey key(TableDefinition table, String text) {
    return PartitionKey.of(PagePlan.millis(text));
  }

  @Override
  public List<OlapRow> records(TableDefinition table, List<Map<String, Object>> rows) {
    OlapSchema schema = schema(table);
    List<OlapRow> records = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      try {
        Optional<OlapRow> row = schema.row(rows.get(i));
        row.ifPresent(records::add);
      } catch (UniserveException e) {
        throw new RejectedRowException(i, e.getMessage());
      }
    }
    return records;
  }

  @Override
  public UpdateFunction<?, ?> load(TableDefinition table) {
    return new AppendRows();
  }
}
