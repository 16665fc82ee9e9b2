package io.uniserve.engines.olap;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.form.Name;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.storage.OlapActor;
import java.util.List;

/**
 * An update that writes the rows that an actor holds in memory as a segment, without records.
 * Queries read segments faster, so that whoever has loaded much sends it at the end.
 */
@Name("Persist")
public record Persist()
    implements UpdateFunction.Eventual<OlapActor, OlapRow>,
        UpdateFunction.Serializable<OlapActor, OlapRow>,
        UpdateFunction.Ordered<OlapActor, OlapRow> {
  @Override
  public Answer update(OlapActor actor, List<OlapRow> none) {
    actor.live().persist();
    return Answer.NONE;
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public boolean prepare(OlapActor actor, List<OlapRow> none) {
    actor.live().prepare(actor.live()::persist);
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
