package io.uniserve.sql.changes;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.sql.backend.Row;
import java.util.List;

/**
 * Changes or deletes rows where they are, in every actor.
 *
 * @param name under which the actor keeps how many rows it changed
 * @param sql the statement, which does the same on every copy
 */
@Name("RewriteRows")
public record RewriteRows(String name, String sql) implements PreparedUpdate<WritableActor, Row> {
  /** Not every database takes a backslash for itself. */
  public RewriteRows {
    if (name.indexOf('\\') >= 0) {
      throw UniserveException.invalid("a change's name has no backslash, unlike " + name);
    }
  }

  /** How many rows there are that fulfil a condition, and whether one can be cast, tells values. */
  @Override
  public boolean reads() {
    return true;
  }

  @Override
  public void begin(WritableActor actor, List<Row> none) {
    actor.prepare(change -> change.rewrite(name, sql));
  }
}
