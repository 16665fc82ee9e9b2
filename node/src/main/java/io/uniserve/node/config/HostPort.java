package io.uniserve.node.config;

import io.uniserve.kernel.Address;
import java.util.Optional;

/**
 * A host and a port.
 *
 * @param host a name or an IP address; IPv6 in brackets
 * @param port 0 to 65535
 */
public record HostPort(String host, int port) {

  /** Reads {@code host:port}; empty if it is not that. */
  public static Optional<HostPort> parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
      return Optional.empty();
    }
    String host = text.substring(0, colon);
    int port = Integer.parseInt(text.substring(colon + 1));
    boolean bareIpv6 = host.contains(":") && !host.startsWith("[");
    return port > 65535 || bareIpv6 || host.isBlank()
        ? Optional.empty()
        : Optional.of(new HostPort(host, port));
  }

  /** As processes address each other. */
  public Address address() {
    return new Address(toString());
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
