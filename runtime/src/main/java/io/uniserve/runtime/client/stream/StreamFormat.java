package io.uniserve.runtime.client.stream;

import io.uniserve.api.error.UniserveException;
import java.util.Map;

/** A format of records. */
@FunctionalInterface
public interface StreamFormat {
  /**
   * Returns the row that the bytes of a record stand for.
   *
   * @throws UniserveException that says why they stand for none
   */
  Map<String, Object> row(byte[] value);
}
