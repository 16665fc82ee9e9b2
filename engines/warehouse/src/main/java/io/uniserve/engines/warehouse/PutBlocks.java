package io.uniserve.engines.warehouse;

import io.uniserve.api.UpdateFunction;
import java.util.List;

/** Inserts blocks of rows; one with the primary key of another replaces it. */
record PutBlocks()
    implements UpdateFunction.Eventual<LiveWarehouse, RowBlock>,
        UpdateFunction.Serializable<LiveWarehouse, RowBlock>,
        UpdateFunction.Ordered<LiveWarehouse, RowBlock> {
  @Override
  public void update(LiveWarehouse actor, List<RowBlock> blocks) {
    actor.prepare(change -> change.putBlocks(blocks));
    actor.commit();
  }

  @Override
  public boolean prepare(LiveWarehouse actor, List<RowBlock> blocks) {
    actor.prepare(change -> change.putBlocks(blocks));
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
