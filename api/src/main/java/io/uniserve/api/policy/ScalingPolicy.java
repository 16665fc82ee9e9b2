package io.uniserve.api.policy;

import java.util.List;

/**
 * A policy that decides how many servers the cluster should have (DPA §4.5). It is a function of
 * its input: it keeps no state and does no input or output. It runs on the deciding thread of the
 * control node, so it must be quick.
 */
@FunctionalInterface
public interface ScalingPolicy {

  /**
   * Decides the wanted size. The caller limits it to the bounds of the cluster.
   *
   * @throws RuntimeException if the policy fails; then nothing changes, and the failure is shown as
   *     the reason
   */
  Decision decide(ScalingView cluster);

  /** Returns the name by which an operator chooses the policy. */
  default String name() {
    return getClass().getSimpleName();
  }

  /**
   * A wanted size.
   *
   * @param servers the number of servers
   * @param leaveFirst servers that should leave before others if the cluster shrinks and can choose
   *     them
   * @param reason the reason, a sentence for people
   */
  record Decision(int servers, List<String> leaveFirst, String reason) {
    /** Makes a wanted size that may be reached by removing any server. */
    public Decision(int servers, String reason) {
      this(servers, List.of(), reason);
    }
  }
}
