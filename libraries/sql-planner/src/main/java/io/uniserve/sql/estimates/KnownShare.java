package io.uniserve.sql.estimates;

import java.util.OptionalDouble;
import org.apache.calcite.rel.hint.RelHint;
import org.apache.calcite.rel.logical.LogicalJoin;

/**
 * A hint with the share of left rows that a semi-join leaves. A semi-join that was made ahead of a
 * join by the same column has it. The estimate of that join then counts the left-out rows as gone
 * already.
 */
public final class KnownShare {
  private static final String HINT = "REDUCTION";
  private static final String SHARE = "share";

  private KnownShare() {}

  /** Makes the hint for a semi-join. */
  public static RelHint hint(double share) {
    return RelHint.builder(HINT).hintOption(SHARE, String.valueOf(share)).build();
  }

  /** Returns the share in a semi-join's hint, if it has one. */
  static OptionalDouble of(LogicalJoin semiJoin) {
    return semiJoin.getHints().stream()
        .filter(hint -> hint.hintName.equals(HINT))
        .mapToDouble(hint -> Double.parseDouble(hint.kvOptions.get(SHARE)))
        .findFirst();
  }
}
