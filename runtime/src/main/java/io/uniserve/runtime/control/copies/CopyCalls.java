package io.uniserve.runtime.control.copies;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ReplicationMessage.Forked;
import io.uniserve.runtime.wire.cluster.ClusterState;
import java.time.Duration;
import java.util.SortedMap;

/** The coordinator's calls to servers during a split or a merge. */
public final class CopyCalls {
  /** The time that copies of a new actor may take to be made. */
  private static final Duration MAKING_MAX = Duration.ofMinutes(10);

  private static final Duration LOOK_INTERVAL = Duration.ofMillis(20);

  /** The number of requests in a row that a server may leave unanswered. */
  private static final int SILENCES_MAX = 2;

  private final Environment environment;
  private final ClusterState state;
  private final Duration patience;

  /**
   * @param patience the longest time that an answer may take
   */
  public CopyCalls(Environment environment, ClusterState state, Duration patience) {
    this.environment = environment;
    this.state = state;
    this.patience = patience;
  }

  public <T extends Message> T ask(String server, Message request, Class<T> reply) {
    return Calls.ask(
        environment,
        state.servers().get(server).address(),
        request,
        reply,
        Deadline.after(environment.clock(), patience));
  }

  /**
   * Asks each server repeatedly until all have made their copies. Each request also extends the
   * pause of the primaries.
   *
   * @param requests the requests, by server
   */
  public void untilMade(SortedMap<String, ? extends Message> requests) {
    Deadline deadline = Deadline.after(environment.clock(), MAKING_MAX);
    int silences = 0;
    boolean made = false;
    while (!made) {
      made = true;
      for (String server : requests.keySet()) {
        try {
          made &= ask(server, requests.get(server), Forked.class).made();
          silences = 0;
        } catch (UniserveException e) {
          made = false;
          if (e.code() != ErrorCode.DEADLINE_EXCEEDED || ++silences > SILENCES_MAX) {
            throw e;
          }
        }
      }
      deadline.check(environment.clock(), "the copies of the new actor");
      if (!made) {
        pause();
      }
    }
  }

  private void pause() {
    try {
      environment.clock().sleep(LOOK_INTERVAL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }
}
