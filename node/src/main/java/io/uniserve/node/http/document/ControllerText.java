package io.uniserve.node.http.document;

import io.uniserve.kernel.Address;

/** The wording of controllers' addresses. */
public final class ControllerText {
  /** The text for a controller that only its own process reaches. */
  private static final String EMBEDDED = "embedded";

  private ControllerText() {}

  /**
   * Returns the address of a controller as people are to see it. The controller of an embedded
   * cluster listens nowhere; its address is a name that its log keeps.
   */
  public static String of(Address address) {
    return address.value().contains(":") ? address.value() : EMBEDDED;
  }
}
