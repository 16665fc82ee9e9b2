package io.uniserve.engines.warehouse;

import io.uniserve.api.Answer;
import io.uniserve.api.form.Name;
import io.uniserve.sql.backend.Row;
import io.uniserve.sql.backend.SchemaDocument;
import io.uniserve.sql.changes.PreparedUpdate;
import java.util.List;

/**
 * An update that creates and drops tables so that an actor fits a schema. Tables that stay keep
 * their rows.
 *
 * @param schema the new schema
 */
@Name("BecomeSchema")
record BecomeSchema(SchemaDocument schema) implements PreparedUpdate<LiveWarehouse, Row> {
  @Override
  public Answer begin(LiveWarehouse actor, List<Row> none) {
    actor.prepareSchema(schema);
    return Answer.NONE;
  }

  @Override
  public boolean repeatable() {
    return true;
  }
}
