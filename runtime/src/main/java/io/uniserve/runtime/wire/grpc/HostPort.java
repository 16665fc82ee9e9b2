package io.uniserve.runtime.wire.grpc;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host and a TCP port.
 *
 * @param host a name or an IP address, an IPv6 address without brackets
 * @param port 0 to 65535; 0 means any free port to listen at
 */
record HostPort(String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([^\\s:\\[\\]/]+)):(\\d{1,5})");

  /** Reads {@code host:port} or {@code [IPv6]:port}. */
  static HostPort of(Address address) {
    Matcher matcher = FORM.matcher(address.value());
    if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > 65535) {
      throw UniserveException.invalid("the address '" + address + "' is not host:port");
    }
    String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    return new HostPort(host, Integer.parseInt(matcher.group(3)));
  }

  HostPort withPort(int actual) {
    return new HostPort(host, actual);
  }

  Address toAddress() {
    return new Address((host.contains(":") ? "[" + host + "]" : host) + ":" + port);
  }
}
