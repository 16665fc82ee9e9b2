package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.GatherOperations;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.KeepOperations;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import io.uniserve.simulation.model.ScatterHome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The keeping of all data of a table as another table, which is then read. If that table exists,
 * whatever failed, it is as good an answer as that of a query.
 */
final class KeptTables {
  private static final Duration TIMEOUT = Duration.ofSeconds(6);
  private static final int PIECE_LENGTH = 20;

  private final ClusterClient client;
  private final TableDefinition table;
  private final RandomGenerator random;
  private final Consumer<UniserveException> expected;

  /**
   * @param table the table whose data is kept
   * @param expected fails unless a failure is one that faults may cause
   */
  KeptTables(
      ClusterClient client,
      TableDefinition table,
      RandomGenerator random,
      Consumer<UniserveException> expected) {
    this.client = client;
    this.table = table;
    this.random = random;
    this.expected = expected;
  }

  /** Makes a table of this definition, possibly with the actors of the table, and reads it. */
  void keep(TableDefinition definition, Witness.Query query) {
    boolean inPlace = random.nextBoolean();
    Partitioner partitioner = inPlace ? table.partitioner() : definition.partitioner();
    TableDefinition kept =
        new TableDefinition(
            definition.name(),
            definition.engine(),
            partitioner,
            definition.replicas(),
            definition.durability(),
            definition.schema());
    attempt(
        () ->
            client.query(
                new Plan.Keep(source(inPlace, partitioner.actors()), kept),
                new QueryOptions(TIMEOUT, query.token())));
    attempt(() -> read(kept, query));
  }

  private Source source(boolean inPlace, int actors) {
    Source all = Source.table(table.name());
    Source spread =
        inPlace
            ? all
            : new Source.Gathered(
                List.of(new Source.Scattered(all, new ScatterHome(actors))),
                Optional.empty(),
                new GatherOperations());
    return new Source.Mapped(spread, new KeepOperations());
  }

  private void read(TableDefinition kept, Witness.Query query) {
    if (client.table(kept.name()).isPresent()) {
      query.answered(
          journals(
              kept,
              client.query(
                  Plan.query(kept.name(), new ReadJournal(PIECE_LENGTH), new JournalsByActor()),
                  new QueryOptions(TIMEOUT))));
    }
  }

  /** Returns the journals that were kept, by the actors that they came from. */
  private SortedMap<Integer, List<Operation>> journals(
      TableDefinition kept, SortedMap<Integer, List<Operation>> held) {
    SortedMap<Integer, List<Operation>> journals = new TreeMap<>();
    for (int actor = 0; actor < table.actors(); actor++) {
      journals.put(actor, new ArrayList<>());
    }
    held.forEach(
        (actor, journal) ->
            journal.forEach(
                operation -> {
                  Invariant.EXACT_ANSWER.require(
                      kept.partitioner().actorOf(operation.partitionKey()) == actor,
                      () -> operation + " was kept in actor " + actor);
                  journals
                      .get(table.partitioner().actorOf(operation.partitionKey()))
                      .add(KeepOperations.other(operation));
                }));
    return journals;
  }

  private void attempt(Runnable work) {
    try {
      work.run();
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.INVALID_ARGUMENT || !wasSplit()) {
        expected.accept(e);
      }
    }
  }

  /**
   * Returns whether the table was split meanwhile, so that its data is spread over more actors than
   * this knew of.
   */
  private boolean wasSplit() {
    return !client
        .state()
        .requireTable(table.name())
        .definition()
        .partitioner()
        .equals(table.partitioner());
  }
}
