package io.uniserve.sql.stages;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.api.form.Name;
import io.uniserve.sql.algebra.TableSize;
import java.util.List;

/**
 * An operator that reads the rows of a SQL table page by page, in the order of their primary keys.
 * Each page is a query of its own, for the least keys above the last one that was given.
 *
 * @param table the table's stored name
 * @param sql a query of the rows, with columns {@code c0}, {@code c1} and so on
 * @param columns the columns that are given
 * @param keys the columns of the primary key
 * @param partitionBy the columns that decide which actor has a row, by place; none if all have it
 */
@Name("ScanRows")
record ScanRows(
    String table, String sql, List<Column> columns, List<Key> keys, List<Integer> partitionBy)
    implements Operator.Scan<SqlActor> {
  /**
   * A column that is given.
   *
   * @param name its name
   * @param index its place among the query's columns
   */
  record Column(String name, int index) {}

  /**
   * A column of the key.
   *
   * @param index its place among the query's columns
   * @param type its type in the actors' SQL
   */
  record Key(int index, String type) {}

  /** Copies the lists. */
  ScanRows {
    columns = List.copyOf(columns);
    keys = List.copyOf(keys);
    partitionBy = List.copyOf(partitionBy);
  }

  @Override
  public ScanPage page(SqlActor actor, ScanFrom from, OperatorContext context) {
    ScanPlace place = from.place().map(ScanPlace::of).orElseGet(() -> begin(actor));
    RowPage page = new RowPage(this, place, from);
    actor.query(List.of(), statement(place), context, page::take);
    context.reportRows(page.rows());
    return page.made();
  }

  private ScanPlace begin(SqlActor actor) {
    TableSize size = actor.sizes().get(table);
    return new ScanPlace(List.of(), ScanPlace.FIRST_ROWS, size == null ? 0 : size.rows());
  }

  /** Returns the statement of a page. The texts of its last key come after all other columns. */
  private String statement(ScanPlace place) {
    StringBuilder text = new StringBuilder("SELECT *");
    for (int i = 0; i < keys.size(); i++) {
      text.append(", CAST(").append(column(i)).append(" AS VARCHAR) AS k").append(i);
    }
    text.append(" FROM (").append(sql).append(") AS s");
    if (!place.key().isEmpty()) {
      text.append(" WHERE ").append(after(place.key(), 0));
    }
    text.append(" ORDER BY ");
    for (int i = 0; i < keys.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(column(i));
    }
    return text.append(" LIMIT ").append(place.rows()).toString();
  }

  private String column(int key) {
    return "s.c" + keys.get(key).index();
  }

  /** Returns the condition that the columns of the key from some place on are above these. */
  private String after(List<String> key, int place) {
    String value =
        "CAST('" + key.get(place).replace("'", "''") + "' AS " + keys.get(place).type() + ")";
    String above = column(place) + " > " + value;
    return place == keys.size() - 1
        ? above
        : "("
            + column(place)
            + " >= "
            + value
            + " AND ("
            + above
            + " OR "
            + after(key, place + 1)
            + "))";
  }
}
