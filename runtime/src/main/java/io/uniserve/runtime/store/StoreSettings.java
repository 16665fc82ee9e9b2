package io.uniserve.runtime.store;

import java.time.Duration;

/**
 * How backups are kept.
 *
 * @param grace how long what is not needed any more is still kept: longer than any restore takes,
 *     and than any two clocks of the cluster and its store differ
 * @param transfers how many objects a server reads or writes at a time
 */
public record StoreSettings(Duration grace, int transfers) {
  /** For production. */
  public static final StoreSettings DEFAULT = new StoreSettings(Duration.ofHours(1), 4);
}
