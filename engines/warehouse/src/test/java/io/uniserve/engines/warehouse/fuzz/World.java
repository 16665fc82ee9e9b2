package io.uniserve.engines.warehouse.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The oracle and several warehouses, all with the same tables and rows. */
final class World implements AutoCloseable {
  private final Oracle oracle;
  private final List<Warehouse> warehouses;
  private Database database = new Database(List.of());
  private List<Layout> layouts = List.of();

  World(Path directory, int... actors) throws IOException, SQLException {
    oracle = new Oracle();
    warehouses = new ArrayList<>();
    for (int each : actors) {
      warehouses.add(new Warehouse(each, directory));
    }
  }

  List<Warehouse> warehouses() {
    return warehouses;
  }

  Database database() {
    return database;
  }

  /** How a warehouse spreads its tables. */
  Layout layout(Warehouse warehouse) {
    return layouts.get(warehouses.indexOf(warehouse));
  }

  /**
   * Replaces all tables.
   *
   * @param newLayouts one for each warehouse
   */
  void become(Database other, List<Layout> newLayouts) throws SQLException {
    for (Table table : database.tables()) {
      String drop = "drop table if exists " + Table.quoted(table.name());
      oracle.execute(drop);
      warehouses.forEach(warehouse -> warehouse.execute(drop));
    }
    database = other;
    layouts = List.copyOf(newLayouts);
    for (String sql : other.script()) {
      oracle.execute(sql);
    }
    for (int i = 0; i < warehouses.size(); i++) {
      layouts.get(i).script(other).forEach(warehouses.get(i)::execute);
    }
  }

  Outcome right(String sql) {
    return oracle.run(sql);
  }

  @Override
  public void close() throws SQLException {
    warehouses.forEach(Warehouse::close);
    oracle.close();
  }
}
