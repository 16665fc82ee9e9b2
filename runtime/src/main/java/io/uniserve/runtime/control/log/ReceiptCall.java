package io.uniserve.runtime.control.log;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.wire.ControlMessage;
import java.util.function.Consumer;

/** A call whose answer is remembered together with the decisions made for it. */
public record ReceiptCall(Incoming call, Consumer<ControlMessage> answered) implements Incoming {
  @Override
  public Deadline deadline() {
    return call.deadline();
  }

  @Override
  public boolean cancelled() {
    return call.cancelled();
  }

  @Override
  public void onCancel(Runnable task) {
    call.onCancel(task);
  }

  @Override
  public void reply(Message message) {
    answered.accept((ControlMessage) message);
    call.reply(message);
  }

  @Override
  public void complete() {
    call.complete();
  }

  @Override
  public void fail(UniserveException failure) {
    call.fail(failure);
  }
}
