package io.uniserve.bench.scans;

import java.util.List;

/** An experiment of the paper with live scans. */
interface Experiment {
  /** Returns the name by which it is chosen, such as {@code 6}. */
  String name();

  /** Runs it. */
  Result run(Conditions conditions);

  /**
   * The findings of a run.
   *
   * @param section a title and a table, in Markdown
   * @param claims the claims that it tries
   */
  record Result(String section, List<Claim> claims) {}
}
