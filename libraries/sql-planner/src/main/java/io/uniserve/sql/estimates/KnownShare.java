package io.uniserve.sql.estimates;

import java.util.OptionalDouble;
import org.apache.calcite.rel.hint.RelHint;
import org.apache.calcite.rel.logical.LogicalJoin;

/**
 * What share of its left rows a semi-join leaves, told by whoever made it ahead of a join by the
 * same column. What that join would leave out is then taken to be gone already.
 */
public final class KnownShare {
  private static final String HINT = "REDUCTION";
  private static final String SHARE = "share";

  private KnownShare() {}

  /** Says it of the semi-join that gets this hint. */
  public static RelHint hint(double share) {
    return RelHint.builder(HINT).hintOption(SHARE, String.valueOf(share)).build();
  }

  /** What a semi-join's hint says, if it has one. */
  static OptionalDouble of(LogicalJoin semiJoin) {
    return semiJoin.getHints().stream()
        .filter(hint -> hint.hintName.equals(HINT))
        .mapToDouble(hint -> Double.parseDouble(hint.kvOptions.get(SHARE)))
        .findFirst();
  }
}
