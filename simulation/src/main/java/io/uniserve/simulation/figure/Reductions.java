package io.uniserve.simulation.figure;

import io.uniserve.simulation.figure.result.Claim;
import io.uniserve.simulation.figure.result.Claim.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;

/** The claims about how much lower PODP's p99 is than a baseline's. */
final class Reductions {
  private Reductions() {}

  /**
   * Returns one claim for each baseline.
   *
   * @param least the smallest reduction that the paper claims
   */
  static List<Claim> claims(Summary summary, String paper, double least) {
    return claims(summary, paper, x -> least);
  }

  /**
   * Returns one claim for each baseline.
   *
   * @param least the smallest reduction that the paper claims, by place in the figure
   */
  static List<Claim> claims(Summary summary, String paper, DoubleUnaryOperator least) {
    List<Claim> claims = new ArrayList<>();
    for (String baseline : summary.policies()) {
      if (!baseline.startsWith(Contender.PODP)) {
        claims.add(claim(summary, baseline, paper, least));
      }
    }
    return claims;
  }

  private static Claim claim(
      Summary summary, String baseline, String paper, DoubleUnaryOperator least) {
    double[] xs = summary.xs();
    String here =
        Arrays.stream(xs)
            .mapToObj(
                x ->
                    String.format(
                        Locale.ROOT,
                        "%s at %s",
                        summary.reduction(x, Contender.PODP, baseline, Trial::p99),
                        text(x)))
            .collect(Collectors.joining("; "));
    long holding =
        Arrays.stream(xs)
            .filter(
                x ->
                    summary.reduction(x, Contender.PODP, baseline, Trial::p99).mean()
                        >= least.applyAsDouble(x) - 0.005)
            .count();
    return new Claim(paper + ", against " + baseline, here, Verdict.of(holding, xs.length));
  }

  static String text(double x) {
    return Math.rint(x) == x ? String.valueOf(Math.round(x)) : String.valueOf(x);
  }
}
