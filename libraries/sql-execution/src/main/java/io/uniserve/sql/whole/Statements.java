package io.uniserve.sql.whole;

/** The refusals of statements that DuckDB has and a warehouse lacks. */
final class Statements {
  private Statements() {}

  /**
   * Returns the reason why a statement is refused.
   *
   * @param first its first word, in upper case
   */
  static String refusal(String first) {
    return switch (first) {
      case "BEGIN", "START", "COMMIT", "ROLLBACK", "ABORT", "END", "SAVEPOINT" ->
          first + ": there are no transactions of several statements; each is one of its own";
      case "SET", "RESET", "PRAGMA", "USE", "LOAD", "INSTALL", "FORCE" ->
          first + ": a statement has no session whose settings it could change";
      case "ATTACH", "DETACH", "COPY", "EXPORT", "IMPORT" ->
          first + ": SQL reads and writes no files; the tables are those of the warehouse";
      case "PREPARE", "EXECUTE", "DEALLOCATE" ->
          first + ": a statement has no session; drivers prepare statements by the protocol";
      case "WITH" ->
          "WITH before a change of rows: write it after INSERT INTO and the table's name";
      case "INSERT", "UPDATE", "DELETE", "CREATE", "DROP" -> first + " is no query";
      case "PIVOT" -> "PIVOT: name the values that become columns, as in ON column IN (1, 2)";
      default -> first + " is neither a query nor a change of rows";
    };
  }
}
