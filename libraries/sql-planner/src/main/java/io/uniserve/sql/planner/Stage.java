package io.uniserve.sql.planner;

import java.util.List;

/**
 * One statement of a distributed query.
 *
 * @param name the name of the table as which later stages read its rows
 * @param place the place where it runs
 * @param sql the statement, at the client in DuckDB's SQL, otherwise in {@link ActorSql}; its
 *     columns are {@code c0}, {@code c1} and so on
 * @param inputs the names of the earlier stages whose rows it reads
 * @param spreadBy the columns by whose values each row goes to one actor, as in a table; none if
 *     its readers get all rows
 * @param rows the estimated number of rows in all actors
 */
public record Stage(
    String name,
    Place place,
    String sql,
    List<String> inputs,
    List<Integer> spreadBy,
    double rows) {
  /** Copies the lists. */
  public Stage {
    inputs = List.copyOf(inputs);
    spreadBy = List.copyOf(spreadBy);
  }

  /** The place where a stage runs. */
  public enum Place {
    /** Every actor runs it, for its own rows. */
    EACH_ACTOR,
    /** Any one actor runs it, since it reads only rows that all actors hold. */
    ONE_ACTOR,
    /** The client runs it, on the rows of earlier stages alone. */
    CLIENT
  }
}
