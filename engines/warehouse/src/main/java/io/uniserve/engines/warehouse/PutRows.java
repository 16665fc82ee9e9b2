package io.uniserve.engines.warehouse;

import io.uniserve.api.UpdateFunction;
import java.util.List;

/** Inserts rows; one with the primary key of another replaces it. */
record PutRows()
    implements UpdateFunction.Eventual<LiveWarehouse, Row>,
        UpdateFunction.Serializable<LiveWarehouse, Row>,
        UpdateFunction.Ordered<LiveWarehouse, Row> {
  @Override
  public void update(LiveWarehouse actor, List<Row> rows) {
    actor.prepare(change -> change.put(rows));
    actor.commit();
  }

  @Override
  public boolean prepare(LiveWarehouse actor, List<Row> rows) {
    actor.prepare(change -> change.put(rows));
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
