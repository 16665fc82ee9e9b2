package io.uniserve.engines.warehouse.fuzz;

import java.util.List;

/** The comparison of an outcome with the right one. */
enum Verdict {
  /** They are the same. */
  RIGHT,
  /** The warehouse refuses the statement. */
  REFUSED,
  /** The oracle does, so that nobody knows. */
  UNJUDGED,
  /** Other rows. */
  WRONG,
  /** The same rows in another order than the one asked for. */
  DISORDERED,
  /** It is said to be no statement, and is one. */
  MISJUDGED,
  /** An error where there should be rows, or rows where there should be one. */
  ERROR_DIFFERS,
  /** A defect tells of itself. */
  BROKEN;

  boolean isFailure() {
    return compareTo(WRONG) >= 0;
  }

  static Verdict of(Outcome right, Outcome given, boolean ordered) {
    return switch (given) {
      case Outcome.Broken broken -> BROKEN;
      case Outcome.Refused refused when right instanceof Outcome.Refused -> UNJUDGED;
      case Outcome.Refused refused ->
          refused.byName() || right instanceof Outcome.Failed ? REFUSED : MISJUDGED;
      case Outcome.Failed failed when right instanceof Outcome.Refused -> UNJUDGED;
      case Outcome.Failed failed -> right instanceof Outcome.Failed ? RIGHT : ERROR_DIFFERS;
      case Outcome.Rows rows ->
          switch (right) {
            case Outcome.Rows expected -> of(expected.rows(), rows.rows(), ordered);
            case Outcome.Failed failed -> ERROR_DIFFERS;
            default -> UNJUDGED;
          };
    };
  }

  private static Verdict of(List<String> right, List<String> given, boolean ordered) {
    if (!right.stream().sorted().toList().equals(given.stream().sorted().toList())) {
      return WRONG;
    }
    return ordered && !right.equals(given) ? DISORDERED : RIGHT;
  }
}
