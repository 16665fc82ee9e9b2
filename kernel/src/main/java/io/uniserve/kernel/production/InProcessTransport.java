package io.uniserve.kernel.production;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The transport of one process in an {@link InProcessNetwork}. */
final class InProcessTransport implements Transport {
  private final InProcessNetwork network;
  private final Address process;
  private final Set<InProcessListener> listeners = ConcurrentHashMap.newKeySet();
  private volatile boolean cutOff;

  InProcessTransport(InProcessNetwork network, Address process) {
    this.network = network;
    this.process = process;
  }

  InProcessNetwork network() {
    return network;
  }

  @Override
  public Registration listen(Address self, Handler handler) {
    InProcessListener listener = new InProcessListener(this, self, handler);
    network.add(listener);
    listeners.add(listener);
    if (cutOff) {
      listener.close();
      throw severed();
    }
    return listener;
  }

  @Override
  public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
    InProcessListener listener = network.listenerAt(to);
    InProcessCall call = new InProcessCall(this, listener, deadline, replies);
    if (listener == null) {
      call.lose(InProcessListener.unreachable(to));
      return call;
    }
    network.open().add(call);
    // A close or detach sets its flag first and then looks for open calls. Here the order is
    // reversed, so that at least one side sees the other.
    if (cutOff) {
      call.lose(severed());
    } else if (listener.isClosed()) {
      call.lose(InProcessListener.unreachable(to));
    } else if (deadline.expired(network.clock())) {
      call.expire();
    } else {
      listener.deliver(request, call);
    }
    return call;
  }

  void forget(InProcessListener listener) {
    listeners.remove(listener);
  }

  void cutOff() {
    cutOff = true;
    List.copyOf(listeners).forEach(InProcessListener::close);
    network.open().failAll(call -> call.caller() == this, call -> severed());
  }

  private UniserveException severed() {
    return new UniserveException(ErrorCode.UNAVAILABLE, process + " is cut off from the network");
  }
}
