package io.uniserve.simulation.scenario.cluster;

import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.UpdateMessage.Updated;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.simulation.network.Interception;
import java.util.Optional;

/**
 * Checks, at the very moment at which a server acknowledges an update, that nobody else has been made
 * the actor's primary: a deposed primary cannot acknowledge anything (DESIGN §6).
 */
final class OnlyPrimariesAcknowledge implements Interception {
  private final Truth truth;
  private final Runnable look;
  private final Interception next;

  /**
   * @param look brings the truth up to date
   * @param next sees every message after this check
   */
  OnlyPrimariesAcknowledge(Truth truth, Runnable look, Interception next) {
    this.truth = truth;
    this.look = look;
    this.next = next;
  }

  @Override
  public Message request(String from, String to, Message request) {
    return next.request(from, to, request);
  }

  @Override
  public Message reply(String from, String to, Message request, Message reply) {
    if (request instanceof Update update && reply instanceof Updated updated) {
      look.run();
      check(from, update, updated);
    }
    return next.reply(from, to, request, reply);
  }

  private void check(String server, Update update, Updated updated) {
    Optional<ActorState> actor = truth.state().actor(update.actor());
    if (actor.isPresent()) {
      Invariant.ONE_PRIMARY.require(
          actor.get().primary().equals(server) && truth.state().alive(server),
          () ->
              server + " acknowledges " + updated.position() + " of " + update.actor()
                  + ", which is assigned as " + actor.get());
    }
  }
}
