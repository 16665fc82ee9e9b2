package io.uniserve.gateways.druid.sql;

import io.uniserve.api.TableDefinition;
import io.uniserve.engines.olap.OlapPlanner;
import io.uniserve.engines.olap.query.DruidClient;
import io.uniserve.engines.olap.query.Queries;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.calcite.schema.Table;
import org.apache.druid.query.Query;
import org.apache.druid.query.TableDataSource;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.metadata.metadata.ColumnAnalysis;
import org.apache.druid.query.metadata.metadata.SegmentAnalysis;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.RowSignature;
import org.apache.druid.segment.indexing.DataSchema;
import org.apache.druid.sql.calcite.schema.AbstractTableSchema;
import org.apache.druid.sql.calcite.table.DatasourceTable;

/**
 * The tables of a cluster as a schema of SQL, as the caller may see them. Columns follow from a
 * table's schema, or from its segments if the schema leaves them open.
 */
public final class DatasourceSchema extends AbstractTableSchema {
  private final Supplier<Map<String, TableDefinition>> readable;
  private final DruidClient druid;

  /**
   * Makes the schema.
   *
   * @param readable gives the tables that the caller may read, on the caller's thread
   */
  public DatasourceSchema(Supplier<Map<String, TableDefinition>> readable, DruidClient druid) {
    this.readable = readable;
    this.druid = druid;
  }

  @Override
  public Set<String> getTableNames() {
    return readable.get().keySet();
  }

  @Override
  public Table getTable(String name) {
    TableDefinition table = readable.get().get(name);
    return table == null
        ? null
        : new DatasourceTable(
            new DatasourceTable.PhysicalDatasourceMetadata(
                new TableDataSource(name), signature(table), false, false));
  }

  private RowSignature signature(TableDefinition table) {
    DataSchema schema = OlapPlanner.schema(table).druid();
    if (!schema.getDimensionsSpec().hasFixedDimensions()) {
      return asked(table.name());
    }
    RowSignature.Builder columns = RowSignature.builder().addTimeColumn();
    schema
        .getDimensionsSpec()
        .getDimensions()
        .forEach(each -> columns.add(each.getName(), each.getColumnType()));
    for (AggregatorFactory metric : schema.getAggregators()) {
      columns.add(metric.getName(), metric.getIntermediateType());
    }
    return columns.build();
  }

  /** Asks the segments which columns there are. */
  private RowSignature asked(String table) {
    Query<Object> query =
        Queries.read(
            """
            {"queryType":"segmentMetadata","dataSource":"%s","merge":true,"analysisTypes":[],
             "usingDefaultInterval":false,"intervals":["-146136543-09-08T08:23:32.096Z/146140482-04-24T15:36:27.903Z"]}"""
                .formatted(table));
    RowSignature.Builder columns = RowSignature.builder().addTimeColumn();
    for (Object each : druid.run(query).toList()) {
      ((SegmentAnalysis) each)
          .getColumns()
          .forEach(
              (name, column) -> {
                if (!name.equals(ColumnHolder.TIME_COLUMN_NAME)) {
                  columns.add(name, type(column));
                }
              });
    }
    return columns.build();
  }

  private static ColumnType type(ColumnAnalysis column) {
    return column.getTypeSignature() == null ? ColumnType.STRING : column.getTypeSignature();
  }
}
