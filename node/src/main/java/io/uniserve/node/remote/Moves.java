package io.uniserve.node.remote;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.text.Figures;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The display of moves of a running cluster, until they have ended. */
public final class Moves {
  private static final long LOOK_MILLIS = 200;

  private final RemoteCluster remote;
  private final PrintStream out;

  /**
   * @param out receives the progress
   */
  public Moves(RemoteCluster remote, PrintStream out) {
    this.remote = remote;
    this.out = out;
  }

  /**
   * Waits for the end of an actor's move.
   *
   * @return true if the copy has moved
   */
  public boolean await(String table, int actor, String to) {
    String what = "Actor " + actor + " of " + table;
    String shown = "";
    Optional<Map<String, Object>> move = move(table, actor);
    while (move.isPresent()) {
      String stage = String.valueOf(move.get().get("stage"));
      if (!stage.equals(shown)) {
        out.println(what + ": " + stage);
        shown = stage;
      }
      pause();
      move = move(table, actor);
    }
    boolean moved = holders(table, actor).containsKey(to);
    out.println(what + (moved ? " has moved to " + to : " has not moved" + reason(table, actor)));
    return moved;
  }

  /** Waits until a server holds nothing. */
  public void awaitEmpty(String server) {
    long shown = -1;
    long left = copiesOn(server);
    while (left > 0) {
      if (left != shown) {
        out.println(Figures.plural(left, "copy") + " left on " + server);
        shown = left;
      }
      requireDraining(server);
      pause();
      left = copiesOn(server);
    }
    out.println("Server " + server + " is empty");
  }

  private Optional<Map<String, Object>> move(String table, int actor) {
    return new Settings("the answer", remote.get("/api/moves"))
        .list("moves").stream()
            .map(move -> Settings.object("a move", move))
            .filter(
                move ->
                    table.equals(move.get("table"))
                        && Long.valueOf(actor).equals(move.get("actor")))
            .findFirst();
  }

  private Map<String, Object> holders(String table, int actor) {
    List<?> assignment =
        new Settings("the table", remote.get("/api/tables/" + RemoteCluster.part(table)))
            .list("assignment");
    return new Settings("an actor", assignment.get(actor)).object("copies");
  }

  /** Returns the latest reason for the state of the move. */
  private String reason(String table, int actor) {
    String name = table + "/" + actor + " ";
    String why = "";
    for (Object event :
        new Settings("the answer", remote.get("/api/events/recent")).list("events")) {
      Map<String, Object> told = Settings.object("an event", event);
      if (String.valueOf(told.get("text")).startsWith(name) && "move".equals(told.get("kind"))) {
        why = ": " + told.get("why");
      }
    }
    return why;
  }

  private long copiesOn(String server) {
    return new Settings("the answer", remote.get("/api/cluster"))
        .list("tables").stream()
            .flatMap(table -> new Settings("a table", table).list("assignment").stream())
            .filter(actor -> new Settings("an actor", actor).object("copies").containsKey(server))
            .count();
  }

  private void requireDraining(String name) {
    boolean draining =
        new Settings("the answer", remote.get("/api/cluster"))
            .list("servers").stream()
                .map(server -> Settings.object("a server", server))
                .anyMatch(
                    server ->
                        name.equals(server.get("name"))
                            && Boolean.TRUE.equals(server.get("draining")));
    if (!draining) {
      throw new UniserveException(
          ErrorCode.CANCELLED, "server " + name + " is used again before it was empty");
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted; the move goes on", e);
    }
  }
}
