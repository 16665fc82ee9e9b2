package io.uniserve.simulation.scenario.cluster.recording;

import io.uniserve.simulation.scenario.cluster.check.HistoryEvent;
import io.uniserve.simulation.scenario.cluster.check.Outdated;
import io.uniserve.simulation.scenario.cluster.recording.Recording.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The copies that answered real clients, and those of them that may have been given up then. A
 * client hears of the control log some time after a decision. So a copy that is heard to be given
 * up soon after its answer may have been given up before it.
 */
final class RecordedReplies implements Outdated {
  /**
   * The longest time until a decision is heard of. A subscription to a silent controller is renewed
   * within half of this.
   */
  private static final long HEARING_MILLIS_MAX = Duration.ofSeconds(10).toMillis();

  private final Map<Copy, List<Change>> changes = new LinkedHashMap<>();
  private final List<Reply> replies = new ArrayList<>();

  private record Copy(int actor, String server) {}

  private record Change(long atMillis, boolean readable) {}

  private record Reply(long atMillis, String client, Copy copy) {}

  /**
   * @param moments the whole recording, of which it takes the news of copies
   */
  RecordedReplies(List<Moment> moments) {
    for (Moment moment : moments) {
      if (moment.event() instanceof HistoryEvent.Readable event) {
        changes
            .computeIfAbsent(new Copy(event.actor(), event.server()), absent -> new ArrayList<>())
            .add(new Change(moment.atMillis(), event.readable()));
      }
    }
  }

  void replied(long atMillis, HistoryEvent.Replied event) {
    Copy copy = new Copy(event.actor(), event.server());
    replies.add(new Reply(atMillis, event.client(), copy));
  }

  @Override
  public long mark() {
    return replies.size();
  }

  @Override
  public boolean outdatedSince(long mark, String client, int actor) {
    return replies.subList((int) mark, replies.size()).stream()
        .filter(reply -> reply.client().equals(client) && reply.copy().actor() == actor)
        .anyMatch(reply -> !readable(reply.copy(), reply.atMillis()));
  }

  /** Returns whether a copy is known to be readable at a moment. */
  private boolean readable(Copy copy, long atMillis) {
    boolean readable = false;
    for (Change change : changes.getOrDefault(copy, List.of())) {
      if (change.atMillis() <= atMillis) {
        readable = change.readable();
      } else if (!change.readable() && change.atMillis() <= atMillis + HEARING_MILLIS_MAX) {
        return false;
      }
    }
    return readable;
  }
}
