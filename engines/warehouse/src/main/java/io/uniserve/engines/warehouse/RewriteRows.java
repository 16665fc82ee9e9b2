package io.uniserve.engines.warehouse;

import io.uniserve.api.UniserveException;
import io.uniserve.api.UpdateFunction;
import java.util.List;

/**
 * Changes or deletes rows where they are, in every actor.
 *
 * @param name under which the actor keeps how many rows it changed
 * @param sql the statement, which does the same on every copy
 */
record RewriteRows(String name, String sql)
    implements UpdateFunction.Eventual<LiveWarehouse, Row>,
        UpdateFunction.Serializable<LiveWarehouse, Row>,
        UpdateFunction.Ordered<LiveWarehouse, Row> {
  /** Not every database takes a backslash for itself. */
  RewriteRows {
    if (name.indexOf('\\') >= 0) {
      throw UniserveException.invalid("a change's name has no backslash, unlike " + name);
    }
  }

  @Override
  public void update(LiveWarehouse actor, List<Row> none) {
    prepare(actor, none);
    actor.commit();
  }

  @Override
  public boolean prepare(LiveWarehouse actor, List<Row> none) {
    actor.prepare(change -> change.rewrite(name, sql));
    return true;
  }

  @Override
  public void commit(LiveWarehouse actor) {
    actor.commit();
  }

  @Override
  public void abort(LiveWarehouse actor) {
    actor.abort();
  }
}
