package io.uniserve.runtime.client;

import java.util.List;

/**
 * The coverage of an answer.
 *
 * @param asked the number of actors that the query addressed, each counted once however often it
 *     was asked
 * @param missing those that the answer lacks, wholly or in a part
 */
public record Coverage(int asked, List<Missing> missing) {
  /** Copies the list. */
  public Coverage {
    missing = List.copyOf(missing);
  }

  /**
   * One actor that an answer lacks.
   *
   * @param table the table's name
   * @param actor the actor's number
   * @param why the reason why it did not answer
   */
  public record Missing(String table, int actor, String why) {}

  /** Returns how many actors the answer counts. */
  public int answered() {
    return asked - missing.size();
  }

  /** Returns whether the answer is exact. */
  public boolean complete() {
    return missing.isEmpty();
  }
}
