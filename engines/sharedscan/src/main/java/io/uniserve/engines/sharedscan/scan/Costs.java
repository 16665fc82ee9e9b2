package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;

/**
 * The times that parts of a pass take for a chunk, in nanoseconds, as measured on one machine. Only
 * their proportions matter: they decide in which of several ways an operation is found, all of
 * which are right.
 */
final class Costs {
  /** The costs as they were measured. */
  static final Costs MEASURED = new Costs(1, 1);

  /** The time of an operation in bulk besides its tests. */
  static final double OPERATION = 60;

  /** To keep those records that a test lets pass whose outcome is known. */
  static final double KNOWN = 25;

  /** To look at the values of a record that are not next to those looked at before. */
  static final double LOOK = 12;

  /** To find a record's operations by its key and test whether it passes all their tests. */
  static final double CANDIDATE = 30;

  /** To evaluate a test for 64 records whose numbers take a byte each. */
  private static final double WORD_BYTE = 0.9;

  /** To begin a test. */
  private static final double BEGIN = 50;

  /** To take a column's number of each record, and to ask the filter of a hash index for it. */
  private static final double KEYS = 1_800;

  private static final double FILTER = 2_600;

  /** To look each record's number up among those of tests that are evaluated together. */
  private static final double TOGETHER = 6_500;

  /** To prepare what one of these tests keeps. */
  private static final double KEEP = 20;

  /** To search a tree for each record's number. */
  private static final double TREE = 120_000;

  private final double indexes;
  private final double equalities;

  /**
   * @param indexes the time of indexes, whether they find anything or not, as a multiple of the
   *     measured one
   * @param equalities the time of equalities that are evaluated together, as a multiple of the
   *     measured one
   */
  Costs(double indexes, double equalities) {
    this.indexes = indexes;
    this.equalities = equalities;
  }

  /** Returns what a test takes for some words of 64 records. */
  static double test(int words, int bytes) {
    return BEGIN + words * bytes * WORD_BYTE;
  }

  /** Returns what a test takes for all records. */
  static double test(int bytes) {
    return test(Chunk.WORDS, bytes);
  }

  /** Returns the number of records up to which it is faster to look at each than to test words. */
  static int few(int bytes) {
    double more = LOOK - bytes * WORD_BYTE;
    return (int) (more * Chunk.WORDS > BEGIN ? BEGIN / more : test(bytes) / LOOK);
  }

  /** Returns what a hash index of one or two columns takes, whether it finds anything or not. */
  double hash(int columns) {
    return indexes * (FILTER + columns * KEYS);
  }

  /** Returns what some equalities of one column take that are evaluated together. */
  double together(int tests) {
    return equalities * (TOGETHER + tests * KEEP);
  }

  /** Returns what a tree takes, whether it finds anything or not. */
  double tree() {
    return indexes * TREE;
  }
}
