package io.uniserve.runtime.store;

import java.time.Duration;

/**
 * The settings of backups.
 *
 * @param grace the time for which unneeded objects are still kept; longer than any restore takes,
 *     and than any two clocks of the cluster and its store differ
 * @param transfers the number of objects that a server reads or writes at a time
 */
public record StoreSettings(Duration grace, int transfers) {
  /** The settings of production. */
  public static final StoreSettings DEFAULT = new StoreSettings(Duration.ofHours(1), 4);
}
