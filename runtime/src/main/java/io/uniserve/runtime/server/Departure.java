package io.uniserve.runtime.server;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.membership.Membership;
import io.uniserve.runtime.wire.ControlMessage.Leave;
import io.uniserve.runtime.wire.ControlMessage.Left;
import io.uniserve.runtime.wire.ControlMessage.Noted;
import io.uniserve.runtime.wire.ControlMessage.StillLed;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The orderly end of a server, so that no request fails. First, others take over what it leads.
 * Clients hear that they should ask others, while it still answers. Then it stops answering reads.
 * At last the coordinator hears that it is gone, so that no update waits for it.
 */
final class Departure {
  private static final Logger LOG = LoggerFactory.getLogger(Departure.class);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

  /** The time after which a silent coordinator counts as ended, too. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(2);

  private final ServerContext server;
  private final Membership membership;
  private final Replicas replicas;
  private final IntSupplier unfinished;

  /**
   * @param unfinished returns how many queries are under way
   */
  Departure(
      ServerContext server, Membership membership, Replicas replicas, IntSupplier unfinished) {
    this.server = server;
    this.membership = membership;
    this.replicas = replicas;
    this.unfinished = unfinished;
  }

  void leave(Deadline deadline) {
    long incarnation = membership.life().incarnation();
    try {
      if (incarnation > 0 && handOver(incarnation, deadline)) {
        pause(server.settings().copies().linger());
        replicas.end();
        awaitIdle(deadline);
        membership.close();
        ask(new Left(server.name(), incarnation), Noted.class);
      }
    } catch (UniserveException e) {
      LOG.warn("server {} ends without an orderly handover: {}", server.name(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Hands over what this server leads. Returns false if the cluster does not answer, or does not
   * finish in time.
   */
  private boolean handOver(long incarnation, Deadline deadline) throws InterruptedException {
    Deadline answer = Deadline.after(clock(), SILENCE_MAX);
    while (!deadline.expired(clock()) && !answer.expired(clock())) {
      try {
        if (ask(new Leave(server.name(), incarnation), StillLed.class).actors() == 0) {
          return true;
        }
        answer = Deadline.after(clock(), SILENCE_MAX);
      } catch (UniserveException e) {
        LOG.debug("server {} cannot announce its end: {}", server.name(), e.getMessage());
      }
      pause(server.settings().copies().retryDelay());
    }
    LOG.warn("server {} ends while others may depend on it", server.name());
    return false;
  }

  private void awaitIdle(Deadline deadline) throws InterruptedException {
    while (unfinished.getAsInt() > 0 && !deadline.expired(clock())) {
      pause(Duration.ofMillis(10));
    }
  }

  private <T extends Message> T ask(Message request, Class<T> reply) {
    return server.controllers().ask(request, reply, Deadline.after(clock(), ANSWER_TIMEOUT));
  }

  private void pause(Duration duration) throws InterruptedException {
    clock().sleep(duration);
  }

  private Clock clock() {
    return server.environment().clock();
  }
}
