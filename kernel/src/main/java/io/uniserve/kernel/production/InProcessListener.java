package io.uniserve.kernel.production;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;

/** A listener at an address. */
final class InProcessListener implements Transport.Registration {
  private final InProcessTransport owner;
  private final Address address;
  private final Transport.Handler handler;
  private volatile boolean closed;

  InProcessListener(InProcessTransport owner, Address address, Transport.Handler handler) {
    this.owner = owner;
    this.address = address;
    this.handler = handler;
  }

  Address address() {
    return address;
  }

  boolean isClosed() {
    return closed;
  }

  /** Hands over a request. An exception of the handler ends the call. */
  void deliver(Message request, InProcessCall call) {
    try {
      handler.handle(request, call);
    } catch (RuntimeException e) {
      call.fail(UniserveException.of(e));
    } catch (Error e) {
      call.fail(UniserveException.of(e));
      owner.network().report(e);
    }
  }

  @Override
  public void close() {
    closed = true;
    owner.network().remove(this);
    owner.forget(this);
    owner.network().open().failAll(call -> call.listener() == this, InProcessListener::gone);
  }

  static UniserveException gone(InProcessCall call) {
    return unreachable(call.listener().address());
  }

  static UniserveException unreachable(Address address) {
    return new UniserveException(ErrorCode.UNAVAILABLE, "nobody listens at " + address);
  }
}
