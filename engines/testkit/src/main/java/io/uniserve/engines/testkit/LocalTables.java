package io.uniserve.engines.testkit;

import io.uniserve.api.Engine;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tables, updates and plans in one thread of one process: what an engine needs to be tested with
 * many actors, and no more. Operators, records and values travel through their codecs, so that one
 * that would not arrive in a cluster does not arrive here.
 */
public final class LocalTables implements AutoCloseable {
  private final Path directory;
  private final Map<String, LocalTable> tables = new LinkedHashMap<>();

  /**
   * @param directory where actors keep their files; exists
   */
  public LocalTables(Path directory) {
    this.directory = directory;
  }

  /** Makes a table of empty actors. */
  public LocalTable create(Engine<?> engine, TableDefinition definition) throws IOException {
    LocalTable table = new LocalTable(engine, definition, directory);
    tables.put(definition.name(), table);
    return table;
  }

  /** Runs a plan; {@link Plan.Keep} is not supported. */
  public <R> R query(Plan<R> plan) {
    return new LocalPlan(this).run(plan);
  }

  LocalTable table(String name) {
    LocalTable table = tables.get(name);
    if (table == null) {
      throw new UniserveException(ErrorCode.NOT_FOUND, "there is no table '" + name + "'");
    }
    return table;
  }

  @Override
  public void close() {
    tables.values().forEach(LocalTable::close);
  }
}
