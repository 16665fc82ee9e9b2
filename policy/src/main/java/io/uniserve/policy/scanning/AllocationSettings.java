package io.uniserve.policy.scanning;

import io.uniserve.api.error.UniserveException;

/**
 * The parameters of adaptive server allocation (PNUTS §3.2).
 *
 * @param measureSecondsMax T_C, the time over which a rate is measured, for a scan that has long to
 *     go; also T_flip, the time between two coins
 * @param measureSecondsMin the least T_C, for a scan that is soon done
 * @param measuresLeft T_C is so small that what is left takes at least as many measurements
 * @param up P_up, the probability of a probe with one slot more
 * @param down P_down, the same with one less
 * @param margin the part by which a rate must be greater to count as greater
 * @param restMax the most T_C between two coins: each probe that fails doubles the time, beginning
 *     with one T_C; 1 for the paper's constant time
 * @param patience the number of T_C that a probe waits for its slot before it is given up; infinite
 *     for ever
 */
public record AllocationSettings(
    double measureSecondsMax,
    double measureSecondsMin,
    double measuresLeft,
    double up,
    double down,
    double margin,
    int restMax,
    double patience) {

  /** The settings of scans that read page by page. */
  public static final AllocationSettings DEFAULT =
      new AllocationSettings(1, 0.05, 100, 1 / 3.0, 1 / 3.0, 0.05, 4, 5);

  /**
   * The settings of scans that hold a slot for a whole partition, as in the paper: rates are always
   * measured over a second, and a slot may come only when some partition has been read.
   */
  public static final AllocationSettings WHOLE_PARTITIONS =
      new AllocationSettings(1, 1, 1, 1 / 3.0, 1 / 3.0, 0.05, 1, Double.POSITIVE_INFINITY);

  /** Checks the parameters. */
  public AllocationSettings {
    boolean times =
        measureSecondsMin > 0 && measureSecondsMax >= measureSecondsMin && measuresLeft > 0;
    boolean coin = up >= 0 && down >= 0 && up + down <= 1;
    boolean waits = restMax >= 1 && patience > 0;
    if (!times || !coin || !waits || !(margin >= 0 && margin < 1)) {
      throw UniserveException.invalid(
          "adaptive server allocation cannot work with "
              + "measure %s-%s s, %s of them, up %s, down %s, margin %s, rest %s, patience %s"
                  .formatted(
                      measureSecondsMin,
                      measureSecondsMax,
                      measuresLeft,
                      up,
                      down,
                      margin,
                      restMax,
                      patience));
    }
  }
}
