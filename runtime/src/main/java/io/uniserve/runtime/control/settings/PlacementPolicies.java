package io.uniserve.runtime.control.settings;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.PlacementPolicy;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The placement policies of a cluster.
 *
 * @param newCopies the policy that chooses the servers of new tables and of copies that replace
 *     lost ones; it moves nothing
 * @param balancing the policies that may be chosen to balance load, by name
 */
public record PlacementPolicies(
    PlacementPolicy newCopies, SortedMap<String, PlacementPolicy> balancing) {
  /** Copies the map. */
  public PlacementPolicies(PlacementPolicy newCopies, Map<String, PlacementPolicy> balancing) {
    this(newCopies, Collections.unmodifiableSortedMap(new TreeMap<>(balancing)));
  }

  /** Returns the policies of a cluster that is not balanced. */
  public static PlacementPolicies without(PlacementPolicy newCopies) {
    return new PlacementPolicies(newCopies, Map.of());
  }

  /**
   * Returns the policy of this name.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}
   */
  public PlacementPolicy require(String name) {
    PlacementPolicy policy = balancing.get(name);
    if (policy == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND,
          "there is no placement policy '" + name + "'; there are " + balancing.keySet());
    }
    return policy;
  }
}
