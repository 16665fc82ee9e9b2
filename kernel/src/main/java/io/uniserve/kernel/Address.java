package io.uniserve.kernel;

import io.uniserve.api.error.UniserveException;

/**
 * The address at which a process listens: {@code host:port}, or any other text for processes that
 * share a JVM or a simulation.
 *
 * @param value the text, 1 to 255 characters
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
