package io.uniserve.api;

import java.util.List;
import java.util.Optional;

/**
 * The records that a scan is to give.
 *
 * @param part the name of one of several tables that the table consists of, such as a SQL table of
 *     a warehouse; empty for the only one
 * @param from the least key; empty for no bound
 * @param to the key before which the scan ends; empty for no bound
 * @param where a condition in the engine's language; empty for all records
 * @param fields the names of the fields that are given; none for all
 */
public record ScanRequest(
    Optional<String> part,
    Optional<String> from,
    Optional<String> to,
    Optional<String> where,
    List<String> fields) {
  /** A request for everything. */
  public static final ScanRequest ALL =
      new ScanRequest(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());

  /** Copies the names. */
  public ScanRequest {
    fields = List.copyOf(fields);
  }
}
