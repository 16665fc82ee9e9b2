package io.uniserve.engines.warehouse.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

  /** Returns the layout of a warehouse's tables. */
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

  /**
   * Changes rows everywhere, or nowhere if that is refused.
   *
   * @return the fault, if there is one
   */
  Optional<String> change(Change change) throws SQLException {
    Outcome right = oracle.change(change.oracleSql());
    if (!(right instanceof Outcome.Rows)) {
      oracle.undo();
      return Optional.empty(); // of what fails in several actors, some may stay
    }
    List<Outcome> given = new ArrayList<>();
    for (Warehouse warehouse : warehouses) {
      given.add(warehouse.run(change.sql(), Warehouse.Sizes.REAL));
    }
    boolean refused =
        given.stream().allMatch(each -> each instanceof Outcome.Refused some && some.byName());
    if (refused) {
      oracle.undo();
      return Optional.empty();
    }
    oracle.keep();
    String script = String.join(";\n", database.script());
    Table before =
        database.tables().stream()
            .filter(each -> each.name().equals(change.table()))
            .findFirst()
            .orElseThrow();
    Table after = before.withRows(oracle.rows(before));
    database = database.with(after);
    String rows = "select * from " + Table.quoted(after.name());
    for (int i = 0; i < warehouses.size(); i++) {
      Outcome shown = warehouses.get(i).run(rows, Warehouse.Sizes.REAL);
      if (!given.get(i).equals(right)
          || Verdict.of(oracle.run(rows), shown, false) != Verdict.RIGHT) {
        return Optional.of(
            "on %d actors%n%s;%n%s;%n  right: %s, then %s%n  given: %s, then %s"
                .formatted(
                    warehouses.get(i).actors(),
                    script,
                    change.sql(),
                    right,
                    oracle.run(rows),
                    given.get(i),
                    shown));
      }
    }
    return Optional.empty();
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
