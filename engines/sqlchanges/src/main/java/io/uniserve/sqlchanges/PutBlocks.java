package io.uniserve.sqlchanges;

import io.uniserve.api.UpdateFunction;
import io.uniserve.sqlbackend.RowBlock;
import java.util.List;

/** Inserts blocks of rows; one with the primary key of another replaces it. */
public record PutBlocks()
    implements UpdateFunction.Eventual<WritableActor, RowBlock>,
        UpdateFunction.Serializable<WritableActor, RowBlock>,
        UpdateFunction.Ordered<WritableActor, RowBlock> {
  @Override
  public void update(WritableActor actor, List<RowBlock> blocks) {
    actor.prepare(change -> change.putBlocks(blocks));
    actor.commit();
  }

  @Override
  public boolean prepare(WritableActor actor, List<RowBlock> blocks) {
    actor.prepare(change -> change.putBlocks(blocks));
    return true;
  }

  @Override
  public void commit(WritableActor actor) {
    actor.commit();
  }

  @Override
  public void abort(WritableActor actor) {
    actor.abort();
  }
}
