package io.uniserve.sql.planner;

import io.uniserve.sql.algebra.CatalogTable;
import io.uniserve.sql.syntax.SqlTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;

/**
 * A query that filters and computes the rows of one table, with the columns of their keys behind
 * its own.
 *
 * @param rel the algebra
 * @param table the table
 */
record KeyedAlgebra(RelNode rel, SqlTable table) {
  /** Returns a query with keys, if it reads one table with a primary key, and each row alone. */
  static Optional<KeyedAlgebra> of(RelNode query) {
    return switch (query) {
      case LogicalTableScan scan -> ofTable(scan);
      case LogicalFilter filter when !RexOver.containsOver(filter.getCondition()) ->
          of(filter.getInput())
              .map(
                  input ->
                      new KeyedAlgebra(
                          filter.copy(filter.getTraitSet(), input.rel, filter.getCondition()),
                          input.table));
      case LogicalProject project when !project.containsOver() ->
          of(project.getInput()).map(input -> input.projected(project.getProjects()));
      default -> Optional.empty();
    };
  }

  private static Optional<KeyedAlgebra> ofTable(LogicalTableScan scan) {
    SqlTable table = scan.getTable().unwrapOrThrow(CatalogTable.class).table();
    if (table.primaryKey().isEmpty() || table.replicated()) {
      return Optional.empty();
    }
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < scan.getRowType().getFieldCount(); i++) {
      columns.add(reference(scan, i));
    }
    table.indexesOf(keys(table)).forEach(column -> columns.add(reference(scan, column)));
    return Optional.of(new KeyedAlgebra(project(scan, columns), table));
  }

  private static List<String> keys(SqlTable table) {
    List<String> keys = new ArrayList<>(table.primaryKey());
    keys.addAll(table.partitionBy());
    return keys;
  }

  private KeyedAlgebra projected(List<RexNode> expressions) {
    List<RexNode> all = new ArrayList<>(expressions);
    for (int i = width(); i < rel.getRowType().getFieldCount(); i++) {
      all.add(reference(rel, i));
    }
    return new KeyedAlgebra(project(rel, all), table);
  }

  private static RexNode reference(RelNode rel, int column) {
    return rel.getCluster().getRexBuilder().makeInputRef(rel, column);
  }

  private static RelNode project(RelNode input, List<RexNode> columns) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      names.add("column " + i);
    }
    return LogicalProject.create(input, List.of(), columns, names, Set.of());
  }

  /** Returns the number of columns of the query itself. */
  private int width() {
    return rel.getRowType().getFieldCount() - keys(table).size();
  }

  /** Returns the rows of the query, whose statement is this. */
  KeyedRows rows(String sql) {
    List<KeyedRows.Key> key = new ArrayList<>();
    for (String column : table.primaryKey()) {
      key.add(
          new KeyedRows.Key(
              width() + key.size(), table.columns().get(table.indexOf(column)).type()));
    }
    List<Integer> partitionBy = new ArrayList<>();
    for (int i = 0; i < table.partitionBy().size(); i++) {
      partitionBy.add(width() + key.size() + i);
    }
    return new KeyedRows(table.stored(), sql, width(), key, partitionBy);
  }
}
