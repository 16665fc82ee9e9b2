package io.uniserve.api.policy;

import java.util.List;

/**
 * Decides how many servers the cluster should have (DPA §4.5). A function of what it is given: it
 * keeps no state, does no input or output, and is asked on the thread that decides, so it must be
 * quick.
 */
@FunctionalInterface
public interface ScalingPolicy {

  /**
   * The wanted size. Whoever asks brings it within the bounds of the cluster.
   *
   * @throws RuntimeException then nothing changes, and the failure is shown as the reason
   */
  Decision decide(ScalingView cluster);

  /** The name by which an operator chooses it. */
  default String name() {
    return getClass().getSimpleName();
  }

  /**
   * A wanted size.
   *
   * @param servers how many
   * @param leaveFirst servers that should leave before others if some are to leave; only as far as
   *     the cluster can choose who leaves
   * @param reason why, a sentence for people
   */
  record Decision(int servers, List<String> leaveFirst, String reason) {
    /** A wanted size that may be reached by removing any server. */
    public Decision(int servers, String reason) {
      this(servers, List.of(), reason);
    }
  }
}
