package io.uniserve.engines.warehouse.fuzz;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** A search for a smaller statement and smaller data with the same failure. */
final class Shrinking {
  private static final int STATEMENTS_MAX = 3_000;
  private static final int DATABASES_MAX = 150;

  private final World world;
  private Finding smallest;
  private int statements;
  private int databases;

  Shrinking(World world, Finding finding) {
    this.world = world;
    smallest = finding;
  }

  /** The smallest that was found; the world has its tables then. */
  Finding smallest() throws SQLException {
    become(smallest.database());
    shrinkStatement();
    shrinkTables();
    shrinkRows();
    shrinkStatement();
    become(smallest.database());
    return smallest;
  }

  private void shrinkStatement() {
    Optional<Part> smaller = smallerStatement();
    while (smaller.isPresent()) {
      smallest = with(smallest.database(), smaller.get());
      smaller = smallerStatement();
    }
  }

  private Optional<Part> smallerStatement() {
    int length = smallest.statement().text().length();
    Iterator<Part> all = smallest.statement().smaller().iterator();
    while (all.hasNext() && statements < STATEMENTS_MAX) {
      Part part = all.next();
      // What is no shorter could go on for ever.
      if (part.text().length() < length) {
        statements++;
        if (smallest.failsIn(world, part)) {
          return Optional.of(part);
        }
      }
    }
    return Optional.empty();
  }

  private void shrinkTables() throws SQLException {
    for (Table table : smallest.database().tables()) {
      List<Table> others = new ArrayList<>(smallest.database().tables());
      others.remove(table);
      tryOut(new Database(others));
    }
  }

  private void shrinkRows() throws SQLException {
    for (int place = 0; place < smallest.database().tables().size(); place++) {
      int step = Math.max(1, rowsOf(place).size() / 2);
      while (step > 0) {
        int from = 0;
        while (from < rowsOf(place).size()) {
          if (!tryOut(without(place, from, step))) {
            from += step;
          }
        }
        step /= 2;
      }
    }
  }

  private List<List<String>> rowsOf(int place) {
    return smallest.database().tables().get(place).rows();
  }

  private Database without(int place, int from, int count) {
    List<List<String>> rows = new ArrayList<>(rowsOf(place));
    rows.subList(from, Math.min(rows.size(), from + count)).clear();
    List<Table> tables = new ArrayList<>(smallest.database().tables());
    tables.set(place, tables.get(place).withRows(rows));
    return new Database(tables);
  }

  private boolean tryOut(Database database) throws SQLException {
    if (databases++ >= DATABASES_MAX) {
      return false;
    }
    become(database);
    boolean fails = smallest.failsIn(world, smallest.statement());
    if (fails) {
      smallest = with(database, smallest.statement());
    } else {
      become(smallest.database());
    }
    return fails;
  }

  /**
   * Sets a database, with the layout of the failing warehouse everywhere, since only that one is
   * asked.
   */
  private void become(Database database) throws SQLException {
    world.become(database, Collections.nCopies(world.warehouses().size(), smallest.layout()));
  }

  private Finding with(Database database, Part statement) {
    return new Finding(
        smallest.verdict(),
        database,
        smallest.layout(),
        smallest.warehouse(),
        smallest.sizes(),
        statement,
        smallest.ordered());
  }
}
