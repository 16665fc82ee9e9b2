package io.uniserve.simulation.network;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.OneWayCall;
import io.uniserve.kernel.Transport;
import java.util.List;
import java.util.Optional;

/** The network as one life of a process sees it. */
final class SimulatedTransport implements Transport {
  private final SimulatedNetwork network;
  private final End self;
  private final String telling;

  SimulatedTransport(SimulatedNetwork network, End self) {
    this.network = network;
    this.self = self;
    telling = "told by " + self.process();
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

  /** Each message is delivered or lost by itself, and may overtake another. */
  @Override
  public void tell(Address to, Message message, Deadline deadline) {
    Listener listener = network.listeners().get(to);
    if (listener == null || deadline.expired(self.clock())) {
      return;
    }
    End end = listener.end();
    Message sent = network.interception().request(self.process(), end.process(), message);
    Optional<Body> body = body(sent);
    Link link = network.link(self.process(), end.process());
    if (body.isPresent() && !link.loses(network.random())) {
      long delay = link.delayNanos(network.settings(), network.random());
      Runnable hearing = () -> hear(listener, body.get());
      end.life().at(network.scheduler().nanos() + delay, () -> end.life().start(telling, hearing));
    }
  }

  private Optional<Body> body(Message message) {
    try {
      return Optional.of(Body.of(message, network));
    } catch (UniserveException e) {
      network.scheduler().note(self.process() + " cannot tell: " + e.getMessage());
      return Optional.empty();
    }
  }

  private void hear(Listener listener, Body body) {
    if (listener.closed()) {
      return;
    }
    try {
      listener.handler().handle(body.open(network.codec()), OneWayCall.now(listener.end().clock()));
    } catch (UniserveException e) {
      network.scheduler().note(listener.end().process() + " will not be told: " + e.getMessage());
    }
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
