package io.uniserve.engines.testkit;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.Keys;
import io.uniserve.api.PartitionedRecord;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.api.UpdateFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A table whose actors live in this process, one copy of each. Used by one thread at a time. */
public final class LocalTable implements AutoCloseable {
  private final Engine<?> engine;
  private final Wire wire;
  private final TableDefinition definition;
  private final Path directory;
  private final List<Actor> actors = new ArrayList<>();
  private int generation;

  LocalTable(Engine<?> engine, TableDefinition definition, Path directory) throws IOException {
    this.engine = engine;
    this.definition = definition;
    this.directory = directory;
    wire = new Wire(engine.types());
    engine.validate(definition);
    for (int actor = 0; actor < definition.actors(); actor++) {
      actors.add(engine.create(context(actor)));
    }
  }

  private ActorContext context(int actor) throws IOException {
    Path own = directory.resolve(definition.name() + "-" + actor + "-" + generation);
    return new ActorContext(definition, actor, Files.createDirectories(own));
  }

  /** What the table was asked to be. */
  public TableDefinition definition() {
    return definition;
  }

  /** One of its actors. */
  public Actor actor(int number) {
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

  /** Sends each record to its actor, all that go to one actor in one call. */
  public <R extends PartitionedRecord> void update(
      UpdateFunction<?, R> function, List<? extends R> records) {
    Map<Integer, List<PartitionedRecord>> byActor = new LinkedHashMap<>();
    for (R each : records) {
      int actor = definition.partitioner().actorOf(each.partitionKey());
      byActor.computeIfAbsent(actor, none -> new ArrayList<>()).add(wire.travel(each));
    }
    apply(wire.travel(function), byActor);
  }

  /** Runs an update without records on every actor. */
  public void updateAll(UpdateFunction<?, ?> function) {
    Map<Integer, List<PartitionedRecord>> none = new LinkedHashMap<>();
    for (int actor = 0; actor < actors.size(); actor++) {
      none.put(actor, List.of());
    }
    apply(wire.travel(function), none);
  }

  @SuppressWarnings("unchecked")
  private void apply(UpdateFunction<?, ?> function, Map<Integer, List<PartitionedRecord>> byActor) {
    switch (function) {
      case UpdateFunction.Eventual<?, ?> eventual ->
          byActor.forEach(
              (actor, records) ->
                  ((UpdateFunction.Eventual<Actor, PartitionedRecord>) eventual)
                      .update(actors.get(actor), records));
      case UpdateFunction.Ordered<?, ?> ordered ->
          byActor.forEach(
              (actor, records) ->
                  ((UpdateFunction.Ordered<Actor, PartitionedRecord>) ordered)
                      .update(actors.get(actor), records));
      case UpdateFunction.Serializable<?, ?> transaction ->
          commit((UpdateFunction.Serializable<Actor, PartitionedRecord>) transaction, byActor);
    }
  }

  private void commit(
      UpdateFunction.Serializable<Actor, PartitionedRecord> transaction,
      Map<Integer, List<PartitionedRecord>> byActor) {
    boolean prepared =
        byActor.entrySet().stream()
            .allMatch(each -> transaction.prepare(actors.get(each.getKey()), each.getValue()));
    byActor.keySet().stream()
        .map(actors::get)
        .forEach(prepared ? transaction::commit : transaction::abort);
    if (!prepared) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, "an actor voted for abort");
    }
  }

  /** Replaces every actor by what its serialised form becomes, as if all had moved. */
  public void move() throws IOException {
    generation++;
    for (int number = 0; number < actors.size(); number++) {
      ActorContext target = context(number);
      actors.get(number).serialize(target.directory());
      actors.get(number).close();
      actors.set(number, engine.deserialize(target));
    }
  }

  @Override
  public void close() {
    actors.forEach(Actor::close);
  }
}
