package io.uniserve.sqlchanges;

import io.uniserve.api.UpdateFunction;
import io.uniserve.sqlbackend.Row;
import java.util.List;

/** Inserts rows; one with the primary key of another replaces it. */
public record PutRows()
    implements UpdateFunction.Eventual<WritableActor, Row>,
        UpdateFunction.Serializable<WritableActor, Row>,
        UpdateFunction.Ordered<WritableActor, Row> {
  @Override
  public void update(WritableActor actor, List<Row> rows) {
    actor.prepare(change -> change.put(rows));
    actor.commit();
  }

  @Override
  public boolean prepare(WritableActor actor, List<Row> rows) {
    actor.prepare(change -> change.put(rows));
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
