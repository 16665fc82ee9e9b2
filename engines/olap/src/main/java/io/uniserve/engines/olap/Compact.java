package io.uniserve.engines.olap;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.form.Name;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.storage.OlapActor;
import java.util.List;

/**
 * An update that makes one segment of everything that an actor holds, without records. Rows that
 * are equal roll up, even if they came long after each other.
 */
@Name("Compact")
public record Compact()
    implements UpdateFunction.Eventual<OlapActor, OlapRow>,
        UpdateFunction.Serializable<OlapActor, OlapRow>,
        UpdateFunction.Ordered<OlapActor, OlapRow> {
  @Override
  public Answer update(OlapActor actor, List<OlapRow> none) {
    actor.live().compact();
    return Answer.NONE;
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public boolean prepare(OlapActor actor, List<OlapRow> none) {
    actor.live().prepare(actor.live()::compact);
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
