package io.uniserve.runtime.client.tables;

import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.ServerStatus.ActorStatus;
import io.uniserve.runtime.wire.ServerStatus.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The troubles of one table's copies, which keep them from their assigned state.
 *
 * @param all one for each copy that has trouble
 */
public record CopyTroubles(List<CopyTrouble> all) {

  /**
   * The trouble of one copy.
   *
   * @param actor the copy's actor
   * @param server the copy's server
   */
  public record CopyTrouble(int actor, String server, Trouble trouble) {
    @Override
    public String toString() {
      return "the copy of actor "
          + actor
          + " on server '"
          + server
          + "' fails: "
          + trouble.message()
          + (trouble.times() > 1 ? " (" + trouble.times() + " times)" : "");
    }
  }

  /** Copies the list. */
  public CopyTroubles {
    all = List.copyOf(all);
  }

  /** Returns those of a table, as servers report them. */
  public static CopyTroubles of(long table, List<ServerStatus> statuses) {
    List<CopyTrouble> found = new ArrayList<>();
    for (ServerStatus server : statuses) {
      for (ActorStatus copy : server.actors()) {
        if (copy.actor().table() == table && copy.trouble().isPresent()) {
          found.add(new CopyTrouble(copy.actor().number(), server.server(), copy.trouble().get()));
        }
      }
    }
    return new CopyTroubles(found);
  }

  /** Returns one that waiting does not mend. */
  public Optional<CopyTrouble> lasting() {
    return all.stream().filter(each -> each.trouble().lasting()).findFirst();
  }

  /** Returns a description of one of them, to follow the words that say what could not be done. */
  public String words() {
    return lasting()
        .or(() -> all.stream().findFirst())
        .map(
            each -> "; " + each + (all.size() > 1 ? ", as do " + (all.size() - 1) + " others" : ""))
        .orElse("");
  }
}
