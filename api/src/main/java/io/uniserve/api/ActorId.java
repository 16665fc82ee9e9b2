package io.uniserve.api;

/**
 * The name of one actor of the cluster, which is never used again: a table that is dropped and
 * created again has another identity.
 *
 * @param table the table's identity
 * @param number the actor's number within the table, from 0
 */
public record ActorId(long table, int number) implements Comparable<ActorId> {
  @Override
  public int compareTo(ActorId other) {
    int byTable = Long.compare(table, other.table);
    return byTable != 0 ? byTable : Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return table + "/" + number;
  }
}
