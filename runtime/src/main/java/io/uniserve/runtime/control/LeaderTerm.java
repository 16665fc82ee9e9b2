package io.uniserve.runtime.control;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.Decision.Receipt;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.DeferredReply;
import io.uniserve.runtime.control.log.Quorum;
import io.uniserve.runtime.control.log.ReceiptCall;
import io.uniserve.runtime.control.log.ReplicatedState;
import io.uniserve.runtime.control.log.Sessions;
import io.uniserve.runtime.control.placement.Placer;
import io.uniserve.runtime.control.scaling.ScalingParts;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.wire.ControlMessage.Submit;
import io.uniserve.runtime.wire.entry.Engines;

/**
 * The term of one controller as the one that decides. It begins when its first entry is committed
 * and everything before is applied. It ends when the controller learns that another leads, or that
 * one of its decisions will not be committed.
 */
final class LeaderTerm {
  private final long number;
  private final Decisions decisions;
  private final Coordinator coordinator;

  LeaderTerm(
      Environment environment,
      Quorum quorum,
      ReplicatedState state,
      long number,
      Engines engines,
      Placer placement,
      ScalingParts scaling,
      ControllerSettings settings) {
    this.number = number;
    decisions = new Decisions(environment, quorum, state, number);
    coordinator =
        new Coordinator(
            environment, number, decisions, quorum, engines, placement, scaling, settings);
  }

  long number() {
    return number;
  }

  void start() {
    coordinator.start();
    decisions.start();
  }

  void stop() {
    decisions.stop();
  }

  void awaitEnd() {
    decisions.awaitEnd();
  }

  /** Decides a caller's request, and answers once the decision is committed. */
  void decide(Message request, Incoming call) {
    decisions.submit(
        call,
        held -> {
          if (request instanceof Submit submit) {
            decideOnce(submit, held);
          } else {
            coordinator.decide(request, held);
          }
        });
  }

  private void decideOnce(Submit submit, Incoming call) {
    switch (decisions.sessions().standing(submit.sender(), submit.sequence())) {
      case Sessions.Standing.Done done -> DeferredReply.answer(call, done.answer());
      case Sessions.Standing.Outdated outdated ->
          throw new UniserveException(
              ErrorCode.OVERLOADED,
              "request " + submit.sequence() + " of " + submit.sender() + " comes too late");
      case Sessions.Standing.Fresh fresh ->
          coordinator.decide(
              submit.request(),
              new ReceiptCall(
                  call,
                  answer ->
                      decisions.remember(
                          new Receipt(
                              submit.sender(),
                              submit.sequence(),
                              submit.answeredBelow(),
                              answer))));
    }
  }
}
