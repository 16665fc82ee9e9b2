package io.uniserve.simulation.network;

import io.uniserve.kernel.Transport;
import java.util.LinkedHashSet;
import java.util.Set;

/** The receiver of calls to an address, with the calls under way. */
final class Listener {
  private final End end;
  private final Transport.Handler handler;
  private final Set<CalleeSide> underWay = new LinkedHashSet<>();
  private boolean closed;

  Listener(End end, Transport.Handler handler) {
    this.end = end;
    this.handler = handler;
  }

  End end() {
    return end;
  }

  Transport.Handler handler() {
    return handler;
  }

  void close() {
    closed = true;
  }

  boolean closed() {
    return closed;
  }

  Set<CalleeSide> underWay() {
    return underWay;
  }
}
