package io.uniserve.engines.warehouse;

import io.uniserve.api.form.Name;
import io.uniserve.sql.backend.Row;
import io.uniserve.sql.backend.SchemaDocument;
import io.uniserve.sql.changes.PreparedUpdate;
import java.util.List;

/**
 * Makes and drops tables until an actor has those of a schema, with the rows that they have.
 *
 * @param schema what it is to be
 */
@Name("BecomeSchema")
record BecomeSchema(SchemaDocument schema) implements PreparedUpdate<LiveWarehouse, Row> {
  @Override
  public void begin(LiveWarehouse actor, List<Row> none) {
    actor.prepareSchema(schema);
  }

  @Override
  public boolean repeatable() {
    return true;
  }
}
