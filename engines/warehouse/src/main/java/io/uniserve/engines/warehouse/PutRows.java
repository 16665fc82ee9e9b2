package io.uniserve.engines.warehouse;

import io.uniserve.api.UpdateFunction;
import java.util.List;

/** Inserts rows; one with the primary key of another replaces it. */
record PutRows()
    implements UpdateFunction.Eventual<WarehouseActor, Row>,
        UpdateFunction.Serializable<WarehouseActor, Row> {
  @Override
  public void update(WarehouseActor actor, List<Row> rows) {
    actor.prepare(change -> change.put(rows));
    actor.commit();
  }

  @Override
  public boolean prepare(WarehouseActor actor, List<Row> rows) {
    actor.prepare(change -> change.put(rows));
    return true;
  }

  @Override
  public void commit(WarehouseActor actor) {
    actor.commit();
  }

  @Override
  public void abort(WarehouseActor actor) {
    actor.abort();
  }
}
