package io.uniserve.node.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Tells addresses that only this machine reaches. */
public final class Loopback {
  private Loopback() {}

  /** Whether a host's every address is of this machine alone; an unknown host may be anything. */
  public static boolean contains(String host) {
    try {
      return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
