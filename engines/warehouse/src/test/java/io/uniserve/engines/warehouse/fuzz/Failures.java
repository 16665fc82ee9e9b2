package io.uniserve.engines.warehouse.fuzz;

import java.util.regex.Pattern;

/** Errors of DuckDB, by their messages. */
final class Failures {
  private static final Pattern OF_DATA =
      Pattern.compile("(Conversion|Out of Range|Invalid Input|Constraint) Error");

  /** How it reports what it finds out late about a statement, whatever its data is. */
  private static final String WRAPPED = "unsuccessful or closed pending query";

  private Failures() {}

  /** Whether other data would not have led to it. */
  static boolean isOfData(String message) {
    return !message.contains(WRAPPED) && OF_DATA.matcher(message).find();
  }
}
