package io.uniserve.simulation.network;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import java.util.List;

/** The network as one life of a process sees it. */
final class SimulatedTransport implements Transport {
  private final SimulatedNetwork network;
  private final End self;

  SimulatedTransport(SimulatedNetwork network, End self) {
    this.network = network;
    this.self = self;
    self.life().onKill(this::died);
  }

  @Override
  public Registration listen(Address address, Handler handler) {
    Listener listener = new Listener(self, handler);
    if (network.listeners().putIfAbsent(address, listener) != null) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS, "somebody listens at " + address + " already");
    }
    return () -> {
      if (network.listeners().remove(address, listener)) {
        listener.close();
        List.copyOf(listener.underWay())
            .forEach(call -> call.fail(unreachable("nobody listens any more at " + address)));
      }
    };
  }

  @Override
  public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
    SimulatedCall call = new SimulatedCall(network, self, to, replies);
    call.begin(request, deadline);
    return call.caller();
  }

  private void died() {
    network.listeners().values().removeIf(listener -> listener.end().life() == self.life());
    network.open().stream()
        .filter(call -> call.touches(self.life()))
        .toList()
        .forEach(SimulatedCall::broken);
  }

  static UniserveException unreachable(String why) {
    return new UniserveException(ErrorCode.UNAVAILABLE, why);
  }
}
