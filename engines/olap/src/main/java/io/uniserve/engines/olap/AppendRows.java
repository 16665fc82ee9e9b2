package io.uniserve.engines.olap;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.form.Name;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.storage.OlapActor;
import java.util.List;

/**
 * An update that appends rows, and rolls them up if the schema says so. A batch is applied as a
 * whole or not at all: a {@link io.uniserve.api.error.RejectedRowException} names the first row
 * that the schema refuses.
 */
@Name("AppendRows")
public record AppendRows()
    implements UpdateFunction.Eventual<OlapActor, OlapRow>,
        UpdateFunction.Serializable<OlapActor, OlapRow>,
        UpdateFunction.Ordered<OlapActor, OlapRow> {
  @Override
  public Answer update(OlapActor actor, List<OlapRow> rows) {
    actor.live().appending(rows).apply();
    return Answer.NONE;
  }

  @Override
  public boolean prepare(OlapActor actor, List<OlapRow> rows) {
    actor.live().prepare(actor.live().appending(rows));
    return true;
  }

  @Override
  public void commit(OlapActor actor) {
    actor.live().commit();
  }

  @Override
  public void abort(OlapActor actor) {
    actor.live().abort();
  }
}
