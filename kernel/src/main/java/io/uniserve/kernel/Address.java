package io.uniserve.kernel;

import io.uniserve.api.UniserveException;

/**
 * Where a process listens: {@code host:port}, or any other text for processes that share a machine
 * process or a simulation.
 *
 * @param value at most 255 characters
 */
public record Address(String value) implements Comparable<Address> {
  /** Checks the length. */
  public Address {
    if (value.isEmpty() || value.length() > 255) {
      throw UniserveException.invalid("an address has 1 to 255 characters: '" + value + "'");
    }
  }

  @Override
  public int compareTo(Address other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
