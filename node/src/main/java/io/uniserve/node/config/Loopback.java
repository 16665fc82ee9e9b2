package io.uniserve.node.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** The recognition of addresses that only this machine reaches. */
public final class Loopback {
  private Loopback() {}

  /**
   * Returns whether a host's every address belongs to this machine only; an unknown host may be
   * anything.
   */
  public static boolean contains(String host) {
    try {
      return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
