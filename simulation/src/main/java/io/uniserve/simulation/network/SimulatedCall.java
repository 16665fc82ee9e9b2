package io.uniserve.simulation.network;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.simulation.schedule.Life;
import java.time.Duration;
import java.util.function.Consumer;

/** One call: its two sides and the lanes between them. */
final class SimulatedCall {
  private static final Duration NOTICED_SOON = Duration.ofMillis(300);

  private final SimulatedNetwork network;
  private final Listener listener;
  private final CallerSide caller;
  private final CalleeSide callee;
  private final Address to;
  private boolean broken;

  SimulatedCall(SimulatedNetwork network, End from, Address to, Transport.ReplyObserver observer) {
    this.network = network;
    this.to = to;
    listener = network.listeners().get(to);
    String name = "call-" + network.nextCall();
    caller = new CallerSide(this, network, from, name, observer);
    callee =
        listener == null ? null : new CalleeSide(this, network, listener, from.process(), name);
    if (callee != null) {
      caller.connect(lane(from, listener.end(), callee::receive));
      callee.connect(lane(listener.end(), from, caller::receive));
      network.open().add(this);
    }
  }

  private Lane lane(End from, End to, Consumer<Frame> receiver) {
    Link link = network.link(from.process(), to.process());
    return new Lane(network, link, to, receiver, this::broken);
  }

  void begin(Message request, Deadline deadline) {
    caller.expireAt(deadline, request.getClass().getSimpleName() + " to " + to);
    if (callee == null) {
      noticeBreak(caller::lost, "nobody listens there");
      return;
    }
    try {
      String to = listener.end().process();
      Message sent = network.interception().request(caller.end().process(), to, request);
      Body body = Body.of(sent, network);
      caller.send(new Frame.Request(body, deadline.remainingNanos(caller.end().clock())));
    } catch (UniserveException e) {
      caller.lost(new Frame.Failed(e.code(), e.getMessage()));
    }
  }

  CallerSide caller() {
    return caller;
  }

  /** Notes that the caller has taken a reply. A callee that has ended has nothing to wait for. */
  void taken() {
    if (!callee.ended()) {
      caller.send(new Frame.Taken());
    }
  }

  boolean touches(Life life) {
    return caller.end().life() == life || listener.end().life() == life;
  }

  /** Notes that a frame was lost or a process ended. Each end learns of it by itself. */
  void broken() {
    if (!broken) {
      broken = true;
      noticeBreak(caller::lost, "the connection is lost");
      noticeBreak(failed -> callee.receive(new Frame.Cancel()), "");
      network.open().remove(this);
    }
  }

  /** Lets an end notice the break: by a refused connection or by silence, whatever the cause. */
  private void noticeBreak(Consumer<Frame.Failed> end, String why) {
    Duration longest =
        network.random().nextBoolean() ? NOTICED_SOON : network.settings().silenceMax();
    long moment = network.scheduler().nanos() + network.random().nextLong(longest.toNanos());
    Frame.Failed failed = new Frame.Failed(ErrorCode.UNAVAILABLE, why);
    network.scheduler().at(moment, () -> end.accept(failed));
  }

  /** Notes that both sides may have ended. */
  void over() {
    if (callee == null || caller.ended() && callee.ended()) {
      network.open().remove(this);
    }
  }
}
