package io.uniserve.bench.olap;

import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Uniserve's table of the rows. */
final class OlapTable {
  static final String NAME = "lineitem";

  private OlapTable() {}

  /** Returns the variables of a process that may read inputs of tasks from a directory. */
  static Map<String, String> reading(Path directory) {
    return Map.of("UNISERVE_DRUID_DIRECTORIES", directory.toString());
  }

  /**
   * Creates the table.
   *
   * @param splits the times at which it is divided into intervals; none to divide it by hash
   */
  static void create(RemoteCluster remote, int actors, int copies, List<String> splits) {
    byte[] schema = ("{" + Lineitems.schema("year") + "}").getBytes(StandardCharsets.UTF_8);
    Map<String, Object> table = new LinkedHashMap<>();
    table.put("name", NAME);
    table.put("engine", "olap");
    table.put("replicas", (long) copies);
    table.put("schema", Settings.object("the schema", Json.parse(schema, 0, schema.length)));
    if (splits.isEmpty()) {
      table.put("actors", (long) actors);
    } else {
      table.put("splits", splits);
    }
    remote.post("/api/tables", table);
  }
}
