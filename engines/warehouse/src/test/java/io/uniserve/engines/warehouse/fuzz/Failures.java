package io.uniserve.engines.warehouse.fuzz;

import java.util.regex.Pattern;

/** Errors of DuckDB, by their messages. */
final class Failures {
  private static final Pattern OF_DATA =
      Pattern.compile("(Conversion|Out of Range|Invalid Input|Constraint) Error");

  /** The text by which DuckDB wraps an error that it finds late in a statement. */
  private static final String WRAPPED = "unsuccessful or closed pending query";

  private Failures() {}

  /** Returns whether a failure depends on the data. */
  static boolean isOfData(String message) {
    return !message.contains(WRAPPED) && OF_DATA.matcher(message).find();
  }
}
