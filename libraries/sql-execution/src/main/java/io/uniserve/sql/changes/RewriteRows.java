package io.uniserve.sql.changes;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.sql.backend.Row;
import java.util.List;

/**
 * An update that changes or deletes rows where they are, in every actor.
 *
 * @param name the name under which the actor keeps the number of changed rows
 * @param sql the statement, which has the same effect on every copy
 */
@Name("RewriteRows")
public record RewriteRows(String name, String sql) implements PreparedUpdate<WritableActor, Row> {
  /** Refuses a name with a backslash, which is an escape in some databases. */
  public RewriteRows {
    if (name.indexOf('\\') >= 0) {
      throw UniserveException.invalid("a change's name has no backslash, unlike " + name);
    }
  }

  /**
   * Returns true: the number of rows that meet a condition, and failures of casts, reveal values.
   */
  @Override
  public boolean reads() {
    return true;
  }

  @Override
  public void begin(WritableActor actor, List<Row> none) {
    actor.prepare(change -> change.rewrite(name, sql));
  }
}
