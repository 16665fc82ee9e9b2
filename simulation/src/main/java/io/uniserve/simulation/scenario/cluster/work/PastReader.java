package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.Plan;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;

/** A client that restores the scenario's table under other names, and reads the result. */
record PastReader(ClusterClient client, Duration timeout) {
  private static final int PIECE_LENGTH = 20;

  /** Restores the table as of a moment. */
  void restore(String name, Instant moment) {
    client
        .backups()
        .restore(
            new Restore(
                List.of(ClusterShape.TABLE),
                Optional.of(moment),
                Optional.of(name),
                OptionalInt.empty()),
            timeout);
  }

  /** Reads the journals of all actors of a table. */
  SortedMap<Integer, List<Operation>> journals(String name) {
    return client.query(
        Plan.query(name, new ReadJournal(PIECE_LENGTH), new JournalsByActor()),
        new QueryOptions(timeout));
  }
}
