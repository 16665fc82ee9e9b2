package io.uniserve.sql.algebra;

import java.util.List;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.prepare.RelOptTableImpl;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalTableScan;

/** A renaming of algebra's tables to their names in the databases that hold their rows. */
final class StoredNames extends RelHomogeneousShuttle {
  private StoredNames() {}

  /** Returns the algebra with stored names. */
  static RelNode of(RelNode rel) {
    return rel.accept(new StoredNames());
  }

  @Override
  public RelNode visit(TableScan scan) {
    CatalogTable known = scan.getTable().unwrap(CatalogTable.class);
    if (known == null || known.table().stored().equals(known.table().name())) {
      return scan;
    }
    String name = known.table().stored();
    return LogicalTableScan.create(
        scan.getCluster(),
        RelOptTableImpl.create(null, scan.getRowType(), List.of(name), Expressions.constant(name)),
        List.of());
  }
}
