package io.uniserve.runtime.control.scaling;

import io.uniserve.api.error.UniserveException;
import java.util.SortedMap;

/** A kind of {@link Machines} that a plug-in provides, found as a service. */
public interface MachinesKind {

  /** Returns the name by which a configuration chooses it. */
  String name();

  /**
   * Opens it.
   *
   * @param settings the values of {@code scale.KEY} in the configuration, by KEY
   * @throws UniserveException naming a setting that is missing or wrong
   */
  Machines open(SortedMap<String, String> settings);
}
