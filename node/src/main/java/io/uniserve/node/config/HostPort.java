package io.uniserve.node.config;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import java.util.Optional;

/**
 * A host and a port.
 *
 * @param host a name or an IP address; IPv6 in brackets
 * @param port 0 to 65535
 */
public record HostPort(String host, int port) {
  private static final int PORT_MAX = 65_535;

  /** Reads {@code host:port}; empty if it is not that. */
  public static Optional<HostPort> parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
      return Optional.empty();
    }
    String host = text.substring(0, colon);
    int port = Integer.parseInt(text.substring(colon + 1));
    boolean bareIpv6 = host.contains(":") && !host.startsWith("[");
    return port > PORT_MAX || bareIpv6 || host.isBlank()
        ? Optional.empty()
        : Optional.of(new HostPort(host, port));
  }

  /**
   * Checks a port number.
   *
   * @return the port
   * @throws UniserveException if it is none
   */
  public static int checkedPort(int port) {
    if (port < 0 || port > PORT_MAX) {
      throw UniserveException.invalid("a port is a number from 0 to 65535, not " + port);
    }
    return port;
  }

  /** Returns the form in which processes address each other. */
  public Address address() {
    return new Address(toString());
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
