package io.uniserve.testkit.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Answer;
import io.uniserve.api.BatchedUpdate;
import io.uniserve.api.Engine;
import io.uniserve.api.Plan;
import io.uniserve.api.Redefinition;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A table whose actors are all in this process, without a cluster. It treats actors as the runtime
 * does: each has its own directory, updates come one at a time, and values that would cross the
 * wire are encoded and decoded. Queries may run on other threads at any time.
 *
 * @param <A> its actors
 */
public final class LocalTable<A extends Actor> implements AutoCloseable {
  private final Engine<A> engine;
  private TableDefinition definition;
  private final Wire wire;
  private final List<A> actors = new ArrayList<>();
  private Path files;
  private boolean closed;

  private LocalTable(Engine<A> engine, TableDefinition definition) {
    this.engine = engine;
    this.definition = definition;
    wire = new Wire(engine.types());
  }

  private interface Opening<A> {
    A open(ActorContext context) throws IOException;
  }

  /**
   * Creates a table of empty actors.
   *
   * @param directory the directory of the actors' files, created if missing
   */
  public static <A extends Actor> LocalTable<A> create(
      Engine<A> engine, TableDefinition definition, Path directory) throws IOException {
    engine.validate(definition);
    return new LocalTable<>(engine, definition).open(directory, engine::create);
  }

  /**
   * Opens a serialised table. The files are handed over as the runtime does it: as links if the
   * engine writes files once, otherwise as copies.
   *
   * @param serialized the directory that {@link #serialize} wrote
   * @param directory the directory of the actors' files, created if missing
   */
  public static <A extends Actor> LocalTable<A> deserialize(
      Engine<A> engine, TableDefinition definition, Path serialized, Path directory)
      throws IOException {
    for (int number = 0; number < definition.actors(); number++) {
      new FileTree(directoryOf(serialized, number))
          .copyTo(
              Files.createDirectories(directoryOf(directory, number)), engine.writesFilesOnce());
    }
    return opened(engine, definition, directory);
  }

  /**
   * Opens a table whose serialised files have been handed over already.
   *
   * @param directory the directory of the actors' files, with what {@link #serialize} wrote
   */
  public static <A extends Actor> LocalTable<A> opened(
      Engine<A> engine, TableDefinition definition, Path directory) throws IOException {
    return new LocalTable<>(engine, definition).open(directory, engine::deserialize);
  }

  /** Makes a table of the actors that a plan has made, in files beside those of this one. */
  LocalTable<A> kept(SortedMap<Integer, Actor> made, TableDefinition other) {
    Path serialized = files.resolveSibling(other.name() + "-serialized");
    try {
      engine.validate(other);
      for (int number = 0; number < other.actors(); number++) {
        Path own = Files.createDirectories(directoryOf(serialized, number));
        if (made.containsKey(number)) {
          made.get(number).serialize(own);
        }
      }
      return new LocalTable<>(engine, other)
          .open(
              files.resolveSibling(other.name()),
              context -> {
                if (!made.containsKey(context.actor())) {
                  return engine.create(context);
                }
                new FileTree(directoryOf(serialized, context.actor()))
                    .copyTo(context.directory(), engine.writesFilesOnce());
                return engine.deserialize(context);
              });
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }

  private LocalTable<A> open(Path directory, Opening<A> opening) throws IOException {
    files = directory;
    try {
      for (int number = 0; number < definition.actors(); number++) {
        Path own = Files.createDirectories(directoryOf(directory, number));
        actors.add(opening.open(new ActorContext(definition, number, own)));
      }
      return this;
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  public static Path directoryOf(Path directory, int actor) {
    return directory.resolve("actor-" + actor);
  }

  /** Returns the table's definition. */
  public TableDefinition definition() {
    return definition;
  }

  /** Changes the schema of the table; returns its new definition. */
  TableDefinition redefine(Plan.Redefine redefine) {
    Redefinition changes =
        engine
            .redefinition()
            .orElseThrow(
                () ->
                    new UniserveException(
                        ErrorCode.UNSUPPORTED,
                        "the schema of table '" + definition.name() + "' stays as it is"));
    redefine
        .change()
        .apply(definition)
        .ifPresent(
            change -> {
              engine.validate(change.meanwhile());
              engine.validate(change.after());
              updateAll(changes.become(change.after()));
              definition = change.after();
            });
    return definition;
  }

  /** Lets every actor delete the records of other actors. */
  public void retain() {
    for (int number = 0; number < actors.size(); number++) {
      int own = number;
      actors.get(number).retain(key -> definition.partitioner().actorOf(key) == own);
    }
  }

  /** Returns an actor by its number. */
  public A actor(int number) {
    return actors.get(number);
  }

  Wire wire() {
    return wire;
  }

  SortedMap<Integer, Actor> actorsOf(Keys keys) {
    SortedMap<Integer, Actor> selected = new TreeMap<>();
    definition.partitioner().actorsOf(keys).forEach(i -> selected.put(i, actors.get(i)));
    return selected;
  }

  /**
   * Sends each record to its actor, with all records of one actor in one call.
   *
   * @return the answers of the function, as a client gets them
   * @throws io.uniserve.api.error.UniserveException if an actor refuses its part; actors of lower
   *     number have then applied theirs
   */
  public <R extends PartitionedRecord> List<Object> update(
      UpdateFunction<?, R> function, List<? extends R> records) {
    return update(Batch.of(function, records));
  }

  /** Runs an update without records on every actor. */
  public List<Object> updateAll(UpdateFunction<?, ?> function) {
    return update(Batch.ofAllActors(function));
  }

  /** The application of an update to one actor. */
  private interface Applying {
    Answer to(
        UpdateFunction<?, ?> function, Actor actor, List<? extends PartitionedRecord> records);
  }

  /**
   * Sends each record to its actor, or the update to all actors if there are no records.
   *
   * @return the answers of the function, as a client gets them
   */
  public List<Object> update(Batch batch) {
    return apply(batch, Updates::apply);
  }

  /**
   * Applies a batch as an ordered update.
   *
   * @return the answers of the function
   */
  public List<Object> order(Batch batch) {
    return apply(batch, Updates::order);
  }

  /**
   * Gives updates to the one actor of this table together, as the runtime does with updates that
   * wait for it.
   *
   * @return the answers of each as a client gets them, or the code of its refusal
   */
  public List<Object> updateTogether(List<Batch> together) {
    List<BatchedUpdate> updates = new ArrayList<>();
    for (Batch batch : together) {
      updates.add(
          new BatchedUpdate(
              wire.travel(batch.update()), List.copyOf(partsOf(batch).firstEntry().getValue())));
    }
    List<BatchedUpdate.Outcome> outcomes = new ArrayList<>();
    while (outcomes.size() < updates.size()) {
      int before = outcomes.size();
      outcomes.addAll(actors.getFirst().updateAll(updates.subList(before, updates.size())));
      assertThat(outcomes.size())
          .as("outcomes, of %d updates with %d before", updates.size(), before)
          .isBetween(before + 1, updates.size());
    }
    List<Object> told = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      told.add(told(together.get(i), outcomes.get(i)));
    }
    return told;
  }

  private Object told(Batch batch, BatchedUpdate.Outcome outcome) {
    return switch (outcome) {
      case BatchedUpdate.Outcome.Applied applied -> {
        LocalAnswers answers = new LocalAnswers(wire);
        answers.add(batch.update(), sent(batch), applied.answer());
        yield answers.values(sent(batch));
      }
      case BatchedUpdate.Outcome.Refused refused -> refused.reason().code();
    };
  }

  private List<Object> apply(Batch batch, Applying applying) {
    LocalAnswers answers = new LocalAnswers(wire);
    partsOf(batch)
        .forEach(
            (number, records) ->
                answers.add(
                    batch.update(),
                    records,
                    applying.to(wire.travel(batch.update()), actors.get(number), records)));
    return answers.values(sent(batch));
  }

  /**
   * Prepares a batch on its actors.
   *
   * @throws io.uniserve.api.error.UniserveException if an actor votes for abort; the others have
   *     then prepared
   */
  public LocalTransaction prepare(Batch batch) {
    return prepare(batch, new LocalTransaction());
  }

  /** Prepares a batch on top of those that a transaction has prepared. */
  public LocalTransaction prepare(Batch batch, LocalTransaction transaction) {
    LocalAnswers answers = new LocalAnswers(wire);
    partsOf(batch)
        .forEach(
            (number, records) ->
                answers.add(
                    batch.update(),
                    records,
                    transaction.prepare(wire.travel(batch.update()), actors.get(number), records)));
    transaction.answers(answers.values(sent(batch)));
    return transaction;
  }

  /** Returns the records that are sent to actors, in their order. */
  private List<PartitionedRecord> sent(Batch batch) {
    List<PartitionedRecord> sent = new ArrayList<>();
    batch.records().forEach(record -> sent.addAll(record.divided(definition.partitioner())));
    return sent;
  }

  /** Returns a snapshot of the table, which must be closed before this table. */
  @SuppressWarnings("unchecked")
  public LocalTable<A> snapshot() {
    LocalTable<A> snapshot = new LocalTable<>(engine, definition);
    actors.forEach(actor -> snapshot.actors.add((A) actor.snapshot().orElseThrow()));
    return snapshot;
  }

  /** Returns the records of each actor; none for every actor if there are no records. */
  private SortedMap<Integer, List<PartitionedRecord>> partsOf(Batch batch) {
    SortedMap<Integer, List<PartitionedRecord>> parts = new TreeMap<>();
    Partitioner partitioner = definition.partitioner();
    for (PartitionedRecord record : batch.records()) {
      for (PartitionedRecord part : record.divided(partitioner)) {
        int actor = partitioner.actorOf(part.partitionKey());
        parts.computeIfAbsent(actor, number -> new ArrayList<>()).add(wire.travel(part));
      }
    }
    for (int number = 0; number < actors.size() && batch.records().isEmpty(); number++) {
      parts.put(number, List.of());
    }
    return parts;
  }

  /** Runs a plan on this table and returns its answer. */
  public <R> R query(Plan<R> plan) {
    return LocalPlans.on(this).run(plan);
  }

  /** Serialises every actor into its own directory below this one, which is created if missing. */
  public void serialize(Path directory) throws IOException {
    for (int number = 0; number < actors.size(); number++) {
      actors.get(number).serialize(Files.createDirectories(directoryOf(directory, number)));
    }
  }

  /** Returns the usage of all actors together. */
  public Usage usage() {
    return actors.stream().map(Actor::usage).reduce(Usage.NONE, Usage::plus);
  }

  /** Closes every actor; further calls do nothing. The directories stay. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      actors.forEach(Actor::close);
    }
  }
}
