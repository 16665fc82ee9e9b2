package io.uniserve.node.processes;

import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Actors are split and merged again while real processes that hold them are killed, under updates
 * and queries.
 */
@Tag("processes")
@Timeout(600)
class MergeActorsTest {
  private static final String TABLE = "notes";
  private static final int MERGES = 6;
  private static final int KILLS = 2;

  @TempDir private Path directory;

  @Test
  void noQueryFailsAndNothingIsLostThoughServersDieMeanwhile() throws IOException {
    try (ProcessCluster cluster = ProcessCluster.start(directory, 4);
        RemoteCluster remote = cluster.connect()) {
      try (NotesLoad notes = NotesLoad.begin(remote, TABLE, 2, "asynchronous");
          ReshapeLoad merges = new ReshapeLoad(remote, TABLE, MERGES)) {
        merges.survives(
            cluster,
            notes,
            KILLS,
            i -> {
              List<Integer> actors = actors(remote);
              boolean merge = actors.size() > 4;
              merges.ask(
                  merge ? actors.getLast() : actors.get(i % actors.size()),
                  merge ? "merge" : "split");
              return merge;
            });
      }
    }
  }

  /** The numbers of the actors that there are. */
  private static List<Integer> actors(RemoteCluster remote) {
    List<?> all =
        new Settings("cluster", remote.get("/api/cluster"))
            .list("tables").stream()
                .findFirst()
                .map(table -> new Settings("a table", table).list("assignment"))
                .orElseThrow();
    return IntStream.range(0, all.size())
        .filter(number -> Boolean.FALSE.equals(((Map<?, ?>) all.get(number)).get("ended")))
        .boxed()
        .toList();
  }
}
