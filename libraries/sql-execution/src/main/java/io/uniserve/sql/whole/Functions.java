package io.uniserve.sql.whole;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The functions of DuckDB that a query may name. Only a few table functions are allowed. Of the
 * others, all are allowed except those that reveal the process, its sessions or its catalog, or
 * change something.
 */
final class Functions {
  /** The table functions that read nothing but their arguments. */
  private static final Set<String> ROWS =
      Set.of(
          "range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree");

  /** The functions whose answers would be about the session on the in-memory database. */
  private static final Set<String> OF_A_SESSION =
      Set.of(
          "current_catalog",
          "current_connection_id",
          "current_database",
          "current_query",
          "current_query_id",
          "current_role",
          "current_schema",
          "current_schemas",
          "current_setting",
          "current_transaction_id",
          "current_user",
          "currval",
          "get_block_size",
          "getenv",
          "getvariable",
          "in_search_path",
          "nextval",
          "session_user",
          "setseed",
          "txid_current",
          "user",
          "write_log");

  /** The words of this kind that are functions without parentheses. */
  private static final Set<String> WORDS =
      Set.of(
          "current_catalog",
          "current_role",
          "current_schema",
          "current_user",
          "session_user",
          "user");

  private static final Set<String> OF_THE_CATALOG =
      Set.of(
          "col_description",
          "format_pg_type",
          "format_type",
          "json_serialize_plan",
          "map_to_pg_oid",
          "obj_description",
          "shobj_description",
          "stats");

  /**
   * The functions on states of aggregates. DuckDB reads states without a check, and some end the
   * process.
   */
  private static final Set<String> STATES = Set.of("combine", "finalize");

  /** The reason why no query may return or read states of aggregates. */
  static final String OF_STATES =
      ": states of aggregates are memory of the database, which are neither given nor taken";

  private static final Set<String> SLEEPS = Set.of("sleep_ms", "pg_sleep");

  private static final Pattern CATALOG =
      Pattern.compile(
          "has_\\w+_privilege|inet_\\w+|pg_(?!typeof$|size_pretty$)\\w+|__internal_\\w+");

  private Functions() {}

  /** Returns the reason why a function is refused; empty if it is allowed. */
  static Optional<String> refusal(String function) {
    String name = function.toLowerCase(Locale.ROOT);
    if (OF_A_SESSION.contains(name)) {
      return Optional.of("function '" + name + "' is about a session, which a statement has not");
    }
    if (OF_THE_CATALOG.contains(name) || CATALOG.matcher(name).matches()) {
      return Optional.of(
          "function '" + name + "' reads a database's catalog, which is not supported");
    }
    if (STATES.contains(name)) {
      return Optional.of("function '" + name + "'" + OF_STATES);
    }
    return SLEEPS.contains(name)
        ? Optional.of("function '" + name + "' only waits")
        : Optional.empty();
  }

  /** Returns the reason why a table function is refused; empty if it is allowed. */
  static Optional<String> refusalOfRows(String function) {
    String name = function.toLowerCase(Locale.ROOT);
    return ROWS.contains(name)
        ? Optional.empty()
        : Optional.of(
            "function '"
                + name
                + "' is none that a query may read as a table; those are "
                + rows());
  }

  private static String rows() {
    return String.join(", ", ROWS.stream().sorted().toList());
  }

  /** Returns the reason why a word that may be a function is refused; empty if it is allowed. */
  static Optional<String> refusalOfWord(String word) {
    return WORDS.contains(word.toLowerCase(Locale.ROOT)) ? refusal(word) : Optional.empty();
  }
}
