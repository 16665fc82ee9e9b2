package io.uniserve.sql.changes;

import io.uniserve.api.form.Name;
import io.uniserve.sql.backend.RowBlock;
import java.util.List;

/** Inserts blocks of rows; one with the primary key of another replaces it. */
@Name("PutBlocks")
public record PutBlocks() implements PreparedUpdate<WritableActor, RowBlock> {
  @Override
  public void begin(WritableActor actor, List<RowBlock> blocks) {
    actor.prepare(change -> change.putBlocks(blocks));
  }
}
