package io.uniserve.engines.olap;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.form.Name;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.storage.LiveDatasource;
import io.uniserve.engines.olap.storage.OlapActor;
import java.util.List;

/**
 * An update that deletes the rows of an interval of time and appends others; queries of an actor
 * see either the former rows or the new ones. Without records it runs on every actor and deletes.
 * As in Druid, times are those that are stored: cut to the query granularity.
 *
 * @param fromMillis the begin, in milliseconds since 1970, inclusive
 * @param toMillis the end, exclusive
 */
@Name("ReplaceInterval")
public record ReplaceInterval(long fromMillis, long toMillis)
    implements UpdateFunction.Eventual<OlapActor, OlapRow>,
        UpdateFunction.Serializable<OlapActor, OlapRow>,
        UpdateFunction.Ordered<OlapActor, OlapRow> {
  private LiveDatasource.Change change(LiveDatasource datasource, List<OlapRow> rows) {
    return datasource.replacing(fromMillis, toMillis, rows);
  }

  @Override
  public Answer update(OlapActor actor, List<OlapRow> rows) {
    change(actor.live(), rows).apply();
    return Answer.NONE;
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public boolean prepare(OlapActor actor, List<OlapRow> rows) {
    actor.live().prepare(change(actor.live(), rows));
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
