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
 * @param name with which a query may qualify their names, as in {@code NAME.orders}
 * @param tables each of another name
 * @param sizes about how large each is, by their stored names; what is missing is guessed
 * @param actors over which they are spread
 * @param actorSql what the actors' databases take
 * @param functions what DuckDB's functions give
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

  /** Copies both. */
  public Catalog {
    tables = List.copyOf(tables);
    sizes = Map.copyOf(sizes);
  }

  /** What makes algebra of statements about these tables. */
  Translation translation() {
    return new Translation(
        name,
        tables.stream().map(table -> new CatalogTable(table, sizeOf(table))).toList(),
        functions);
  }

  /** About how large a table is. */
  public TableSize sizeOf(SqlTable table) {
    return sizes.getOrDefault(table.stored(), table.replicated() ? REPLICATED_GUESS : GUESS);
  }
}
