package io.uniserve.engines.olap;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.storage.LiveDatasource;
import io.uniserve.engines.olap.storage.OlapActor;
import java.util.List;

/** An update without records that changes how an actor stores its rows. */
interface Upkeep
    extends UpdateFunction.Eventual<OlapActor, OlapRow>,
        UpdateFunction.Serializable<OlapActor, OlapRow>,
        UpdateFunction.Ordered<OlapActor, OlapRow> {
  /** Stores the rows of an actor differently. */
  void keepUp(LiveDatasource datasource);

  @Override
  default Answer update(OlapActor actor, List<OlapRow> none) {
    keepUp(actor.live());
    return Answer.NONE;
  }

  @Override
  default boolean repeatable() {
    return true;
  }

  @Override
  default boolean prepare(OlapActor actor, List<OlapRow> none) {
    actor.live().prepare(() -> keepUp(actor.live()));
    return true;
  }

  @Override
  default void commit(OlapActor actor) {
    actor.live().commit();
  }

  @Override
  default void abort(OlapActor actor) {
    actor.live().abort();
  }
}
