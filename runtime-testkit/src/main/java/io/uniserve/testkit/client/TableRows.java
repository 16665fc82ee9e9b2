package io.uniserve.testkit.client;

import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateReceipt;
import java.util.List;
import java.util.Map;

/** The rows of a table, stored as its planner would have a surface store them. */
public final class TableRows {
  private TableRows() {}

  /** Stores rows, and waits until all readable copies have them. */
  public static UpdateReceipt store(
      UniserveClient client, TableDefinition table, List<Map<String, Object>> rows) {
    return store(client, table, rows, UpdateOptions.ALL_COPIES);
  }

  /** Stores rows. */
  @SuppressWarnings("unchecked") // the planner's update takes the planner's own records
  public static UpdateReceipt store(
      UniserveClient client,
      TableDefinition table,
      List<Map<String, Object>> rows,
      UpdateOptions options) {
    Planner planner = client.planner(table);
    UpdateFunction<?, PartitionedRecord> load =
        (UpdateFunction<?, PartitionedRecord>) planner.load(table);
    return client.update(table.name(), load, planner.records(table, rows), options);
  }
}
