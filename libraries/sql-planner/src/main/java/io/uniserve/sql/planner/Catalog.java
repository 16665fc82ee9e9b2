package io.uniserve.sql.planner;

import io.uniserve.sql.algebra.CatalogTable;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.algebra.Translation;
import io.uniserve.sql.algebra.functions.FunctionTypes;
import io.uniserve.sql.syntax.SqlTable;
import java.util.List;
import java.util.Map;

/**
 * The tables that a query may name.
 *
 * @param name the qualifier of their names, as in {@code NAME.orders}
 * @param tables the tables, with different names
 * @param sizes the estimated size of each, by their stored names; missing ones are guessed
 * @param actors the number of actors that they are spread over
 * @param actorSql the SQL of the actors' databases
 * @param functions the result types of DuckDB's functions
 */
public record Catalog(
    String name,
    List<SqlTable> tables,
    Map<String, TableSize> sizes,
    int actors,
    ActorSql actorSql,
    FunctionTypes functions) {
  private static final TableSize GUESS = new TableSize(1_000, Map.of());
  private static final TableSize REPLICATED_GUESS = new TableSize(10, Map.of());

  /** Copies the collections. */
  public Catalog {
    tables = List.copyOf(tables);
    sizes = Map.copyOf(sizes);
  }

  /** Makes a translation of statements about these tables. */
  Translation translation() {
    return new Translation(
        name,
        tables.stream().map(table -> new CatalogTable(table, sizeOf(table))).toList(),
        functions);
  }

  /** Returns the estimated size of a table. */
  public TableSize sizeOf(SqlTable table) {
    return sizes.getOrDefault(table.stored(), table.replicated() ? REPLICATED_GUESS : GUESS);
  }
}
