package io.uniserve.sql.changes;

import io.uniserve.api.Answer;
import io.uniserve.api.form.Name;
import io.uniserve.sql.backend.Row;
import java.util.List;

/** An update that inserts rows. A row replaces an existing one with its primary key. */
@Name("PutRows")
public record PutRows() implements PreparedUpdate<WritableActor, Row> {
  @Override
  public Answer begin(WritableActor actor, List<Row> rows) {
    actor.prepare(change -> change.put(rows));
    return Answer.NONE;
  }
}
