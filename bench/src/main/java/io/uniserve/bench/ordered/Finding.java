package io.uniserve.bench.ordered;

import io.uniserve.bench.report.Table;
import java.util.List;

/**
 * A claim of the paper, or an aim, beside what was measured.
 *
 * @param claim the claim
 * @param measured the figures that were measured
 * @param holds true if the claim holds here
 */
record Finding(String claim, String measured, boolean holds) {
  static Table table(List<Finding> findings) {
    Table table = new Table("the paper", "measured", "holds");
    findings.forEach(
        finding -> table.add(finding.claim(), finding.measured(), finding.holds() ? "yes" : "no"));
    return table;
  }
}
