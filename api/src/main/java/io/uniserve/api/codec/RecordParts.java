package io.uniserve.api.codec;

/**
 * Access to the components of records of one class. It is public only because an implementation is
 * generated in the package of each record; nothing else should use it.
 */
public interface RecordParts {
  /** Returns the components in the order of their declaration. */
  Object[] components(Object record);

  /**
   * Makes a record of these components.
   *
   * @throws RuntimeException any exception of the record's constructor
   */
  Object create(Object[] components);
}
