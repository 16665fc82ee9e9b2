package io.uniserve.sql.changes;

import io.uniserve.api.Answer;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.sql.backend.Row;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An update that changes or deletes rows where they are, in every actor, and answers with their
 * number.
 *
 * @param name the name under which the actor remembers that it has carried out the statement
 * @param sql the statement, which has the same effect on every copy
 */
@Name("RewriteRows")
public record RewriteRows(String name, String sql) implements PreparedUpdate<WritableActor, Row> {
  /** The greatest size of an answered number. */
  private static final int NUMBER_BYTES_MAX = 32;

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
  public int answerBytesMax(int records) {
    return NUMBER_BYTES_MAX;
  }

  @Override
  public Answer begin(WritableActor actor, List<Row> none) {
    AtomicLong rows = new AtomicLong();
    actor.prepare(change -> rows.set(change.rewrite(name, sql)));
    return Answer.of(rows.get());
  }
}
