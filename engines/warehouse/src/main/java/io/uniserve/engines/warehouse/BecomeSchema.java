package io.uniserve.engines.warehouse;

import io.uniserve.api.UpdateFunction;
import io.uniserve.sqlbackend.Row;
import io.uniserve.sqlbackend.SchemaDocument;
import java.util.List;

/**
 * Makes and drops tables until an actor has those of a schema, with the rows that they have.
 *
 * @param schema what it is to be
 */
record BecomeSchema(SchemaDocument schema)
    implements UpdateFunction.Eventual<LiveWarehouse, Row>,
        UpdateFunction.Serializable<LiveWarehouse, Row>,
        UpdateFunction.Ordered<LiveWarehouse, Row> {
  @Override
  public void update(LiveWarehouse actor, List<Row> none) {
    actor.prepareSchema(schema);
    actor.commit();
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public boolean prepare(LiveWarehouse actor, List<Row> none) {
    actor.prepareSchema(schema);
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
