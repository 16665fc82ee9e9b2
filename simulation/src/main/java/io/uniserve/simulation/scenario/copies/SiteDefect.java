package io.uniserve.simulation.scenario.copies;

import io.uniserve.runtime.store.DurableStore;

/** An intended defect of the store, or of its use at each site. */
@FunctionalInterface
public interface SiteDefect {
  /** The store without a defect. */
  SiteDefect NONE = (store, site) -> store;

  /**
   * Returns the store that the servers of one site use.
   *
   * @param site a name of the site
   */
  DurableStore of(DurableStore store, String site);
}
