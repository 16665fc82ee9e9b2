package io.uniserve.api.codec;

/**
 * Takes records of one class apart and puts them together. Not for callers: it is public because
 * what implements it is made for each record, and belongs to that record's package.
 */
public interface RecordParts {
  /** The components in the order of their declaration. */
  Object[] components(Object record);

  /**
   * The record of these components.
   *
   * @throws RuntimeException whatever its constructor throws
   */
  Object create(Object[] components);
}
