package io.uniserve.simulation.network;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.simulation.schedule.Event;
import io.uniserve.simulation.schedule.SerialTasks;

/** The calling end of a call, with the events for its observer. */
final class CallerSide implements Transport.Call {
  private final SimulatedCall call;
  private final SimulatedNetwork network;
  private final End end;
  private final Transport.ReplyObserver observer;
  private final SerialTasks telling;
  private Lane toCallee;
  private Event expiry;
  private boolean ended;

  CallerSide(
      SimulatedCall call,
      SimulatedNetwork network,
      End end,
      String name,
      Transport.ReplyObserver observer) {
    this.call = call;
    this.network = network;
    this.end = end;
    this.observer = observer;
    telling = new SerialTasks(end.life(), name);
  }

  void connect(Lane lane) {
    toCallee = lane;
  }

  End end() {
    return end;
  }

  boolean ended() {
    return ended;
  }

  /**
   * Ends the call at its deadline.
   *
   * @param what the request and its receiver, for people
   */
  void expireAt(Deadline deadline, String what) {
    long moment = end.clock().moment(deadline.remainingNanos(end.clock()));
    expiry =
        end.life()
            .at(
                moment,
                () ->
                    lost(
                        new Frame.Failed(
                            ErrorCode.DEADLINE_EXCEEDED,
                            what + ": no end of the call before the deadline")));
  }

  /** Sends a frame; nothing happens if nobody listened from the start. */
  void send(Frame frame) {
    if (toCallee != null) {
      toCallee.send(frame);
    }
  }

  /** Tells the process of an end that no frame brought. */
  void lost(Frame.Failed failed) {
    receive(failed);
  }

  void receive(Frame frame) {
    telling.add(() -> tell(frame));
  }

  @Override
  public void cancel() {
    if (!ended) {
      finish();
      send(new Frame.Cancel());
      UniserveException cancelled =
          new UniserveException(ErrorCode.CANCELLED, "the caller cancelled the call");
      telling.add(() -> observer.failed(cancelled));
    }
  }

  private void tell(Frame frame) {
    if (ended) {
      return;
    }
    switch (frame) {
      case Frame.Reply(Body body) -> tellReply(body.open(network.codec()));
      case Frame.Completed() -> {
        finish();
        observer.completed();
      }
      case Frame.Failed(ErrorCode code, String message) -> {
        finish();
        observer.failed(new UniserveException(code, message));
      }
      case Frame.Request r -> throw new IllegalStateException("a request reached its caller");
      case Frame.Cancel c -> throw new IllegalStateException("a cancellation reached its caller");
      case Frame.Taken t -> throw new IllegalStateException("a receipt reached its sender");
    }
  }

  private void tellReply(Message reply) {
    try {
      observer.replied(reply);
      call.taken();
    } catch (UniserveException e) {
      finish();
      send(new Frame.Cancel());
      observer.failed(
          new UniserveException(ErrorCode.INTERNAL, "the receiver of replies failed: " + e, e));
    }
  }

  private void finish() {
    ended = true;
    expiry.cancel();
    call.over();
  }
}
