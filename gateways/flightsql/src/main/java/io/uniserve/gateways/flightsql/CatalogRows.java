package io.uniserve.gateways.flightsql;

import io.uniserve.api.TableDefinition;
import io.uniserve.gateways.flightsql.protocol.ColumnMetadata;
import io.uniserve.gateways.flightsql.protocol.Listing;
import io.uniserve.sql.backend.ArrowTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.apache.arrow.flight.sql.impl.FlightSql;

/** The catalog as the rows of Flight SQL's listings. Each warehouse is a schema. */
record CatalogRows(Warehouses warehouses) {
  /** The one type of tables. */
  static final String TABLE = "TABLE";

  /** Returns a row for each warehouse. */
  List<List<Object>> schemas(FlightSql.CommandGetDbSchemas request) {
    Predicate<String> wanted =
        Listing.like(request.hasDbSchemaFilterPattern(), request.getDbSchemaFilterPattern());
    return ofNoCatalog(request.hasCatalog(), request.getCatalog())
        ? warehouses.all().stream()
            .map(TableDefinition::name)
            .filter(wanted)
            .map(name -> Arrays.<Object>asList(null, name))
            .toList()
        : List.of();
  }

  /** Returns a row for each SQL table. */
  List<List<Object>> tables(FlightSql.CommandGetTables request) {
    Predicate<String> schemas =
        Listing.like(request.hasDbSchemaFilterPattern(), request.getDbSchemaFilterPattern());
    Predicate<String> names =
        Listing.like(request.hasTableNameFilterPattern(), request.getTableNameFilterPattern());
    boolean any =
        ofNoCatalog(request.hasCatalog(), request.getCatalog())
            && (request.getTableTypesCount() == 0 || request.getTableTypesList().contains(TABLE));
    List<List<Object>> rows = new ArrayList<>();
    for (TableDefinition warehouse : any ? warehouses.all() : List.<TableDefinition>of()) {
      if (schemas.test(warehouse.name())) {
        ArrowTable.of(warehouse).stream()
            .filter(table -> names.test(table.name()))
            .sorted(Comparator.comparing(ArrowTable::name))
            .forEach(table -> rows.add(row(warehouse.name(), table, request.getIncludeSchema())));
      }
    }
    if (any && schemas.test("")) {
      warehouses.ownSql().all().stream()
          .filter(table -> names.test(table.name()))
          .forEach(table -> rows.add(row(table, request.getIncludeSchema())));
    }
    return rows;
  }

  /** Returns the row of a table that is in no schema. */
  private List<Object> row(TableDefinition table, boolean withColumns) {
    List<Object> row = new ArrayList<>(Arrays.asList(null, null, table.name(), TABLE));
    if (withColumns) {
      row.add(
          ColumnMetadata.of(warehouses.ownSql().columns(table), "", table.name())
              .serializeAsMessage());
    }
    return row;
  }

  private static List<Object> row(String warehouse, ArrowTable table, boolean withColumns) {
    List<Object> row = new ArrayList<>(Arrays.asList(null, warehouse, table.name(), TABLE));
    if (withColumns) {
      row.add(ColumnMetadata.of(table.columns(), warehouse, table.name()).serializeAsMessage());
    }
    return row;
  }

  /** Returns a row for each column of a primary key. */
  List<List<Object>> primaryKeys(FlightSql.CommandGetPrimaryKeys request) {
    List<List<Object>> rows = new ArrayList<>();
    boolean any = ofNoCatalog(request.hasCatalog(), request.getCatalog());
    for (TableDefinition warehouse : any ? warehouses.all() : List.<TableDefinition>of()) {
      if (!request.hasDbSchema() || request.getDbSchema().equalsIgnoreCase(warehouse.name())) {
        ArrowTable.of(warehouse).stream()
            .filter(table -> table.name().equalsIgnoreCase(request.getTable()))
            .forEach(table -> addKey(rows, warehouse.name(), table));
      }
    }
    return rows;
  }

  private static void addKey(List<List<Object>> rows, String warehouse, ArrowTable table) {
    for (String column : table.primaryKey()) {
      rows.add(
          Arrays.asList(
              null, warehouse, table.name(), column, table.primaryKey().indexOf(column) + 1, null));
    }
  }

  private static boolean ofNoCatalog(boolean given, String catalog) {
    return !given || catalog.isEmpty();
  }
}
