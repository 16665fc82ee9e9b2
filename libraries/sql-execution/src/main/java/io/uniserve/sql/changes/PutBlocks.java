package io.uniserve.sql.changes;

import io.uniserve.api.Answer;
import io.uniserve.api.form.Name;
import io.uniserve.sql.backend.RowBlock;
import java.util.List;

/** An update that inserts blocks of rows. A row replaces an existing one with its primary key. */
@Name("PutBlocks")
public record PutBlocks() implements PreparedUpdate<WritableActor, RowBlock> {
  @Override
  public Answer begin(WritableActor actor, List<RowBlock> blocks) {
    actor.prepare(change -> change.putBlocks(blocks));
    return Answer.NONE;
  }
}
