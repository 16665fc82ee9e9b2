package io.uniserve.gateways.druid.sql;

import io.uniserve.api.TableDefinition;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.lookup.StoredLookups;
import io.uniserve.engines.olap.query.DruidClient;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.druid.query.LookupDataSource;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.RowSignature;
import org.apache.druid.segment.join.lookup.LookupColumnSelectorFactory;
import org.apache.druid.sql.calcite.table.LookupTable;

/** The lookups as a schema of SQL, for callers who may read the table that holds them. */
public final class LookupSchema extends AbstractSchema {
  private static final RowSignature COLUMNS =
      RowSignature.builder()
          .add(LookupColumnSelectorFactory.KEY_COLUMN, ColumnType.STRING)
          .add(LookupColumnSelectorFactory.VALUE_COLUMN, ColumnType.STRING)
          .build();

  private final Supplier<Map<String, TableDefinition>> readable;
  private final DruidClient druid;

  /**
   * Makes the schema.
   *
   * @param readable gives the tables that the caller may read, on the caller's thread
   */
  public LookupSchema(Supplier<Map<String, TableDefinition>> readable, DruidClient druid) {
    this.readable = readable;
    this.druid = druid;
  }

  @Override
  protected Map<String, Table> getTableMap() {
    Map<String, Table> tables = new TreeMap<>();
    if (readable.get().containsKey(StoredLookups.NAME)) {
      druid.readLookups();
      for (String name : Druid.get().lookups().getAllLookupNames()) {
        tables.put(name, new LookupTable(new LookupDataSource(name), COLUMNS));
      }
    }
    return tables;
  }
}
