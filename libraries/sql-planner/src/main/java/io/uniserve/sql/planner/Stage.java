package io.uniserve.sql.planner;

import java.util.List;

/**
 * One statement of a distributed query.
 *
 * @param name the table as which later stages know its rows
 * @param place where it runs
 * @param sql what runs there, at the client in DuckDB's SQL, otherwise in {@link ActorSql}; its
 *     columns are {@code c0}, {@code c1} and so on
 * @param inputs the names of the earlier stages whose rows it reads
 * @param spreadBy the columns by whose values each row goes to one actor, as a table's would; none
 *     if its readers get all rows
 * @param rows about how many rows it gives, over all actors
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

  /** Where a stage runs. */
  public enum Place {
    /** On every actor, for the rows of that actor. */
    EACH_ACTOR,
    /** On any one actor: it reads only what all of them hold. */
    ONE_ACTOR,
    /** Where the query was asked, on the rows of earlier stages alone. */
    CLIENT
  }
}
