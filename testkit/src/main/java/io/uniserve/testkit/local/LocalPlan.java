package io.uniserve.testkit.local;

import io.uniserve.api.Actor;
import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A run of one plan. */
final class LocalPlan {
  private static final Duration COMPUTING_MAX = Duration.ofMinutes(10);

  private final LocalPlans tables;
  private final Consumer<Object> witness;
  private final boolean repeating;
  private final Map<Source, Data> computed = new IdentityHashMap<>();
  private final List<Dataset> materialised = new ArrayList<>();
  private Optional<Kept> kept = Optional.empty();

  /** Datasets by number, and the wire of their engine. */
  private record Data(SortedMap<Integer, Dataset> sets, Wire wire) {}

  /**
   * Makes a run.
   *
   * @param witness receives everything that crosses the wire
   * @param repeating true if every task is run twice
   */
  LocalPlan(LocalPlans tables, Consumer<Object> witness, boolean repeating) {
    this.repeating = repeating;
    this.tables = tables;
    this.witness = witness;
  }

  <R> R run(Plan<R> plan) {
    return switch (plan) {
      case Plan.Query<?, R> query -> runQuery(query);
      case Plan.Nested<R> nested -> {
        List<Object> answers = new ArrayList<>();
        nested.subqueries().forEach(each -> answers.add(tables.run(each)));
        yield run(nested.next().apply(answers));
      }
      case Plan.Known<R> known -> known.answer();
      case Plan.Computed<R> computed -> computed.work().apply(COMPUTING_MAX);
      case Plan.Update update ->
          answered(
              tables.table(update.table()).update(new Batch(update.function(), update.records())));
      case Plan.Redefine redefine -> redefined(redefine);
      case Plan.Measured<?, R> measured -> unmeasured(measured);
      case Plan.Keep keep -> {
        keep(keep);
        yield null;
      }
    };
  }

  @SuppressWarnings("unchecked") // an update answers with a list
  private static <R> R answered(List<Object> answers) {
    return (R) answers;
  }

  /** Keeps a table as {@link Plan.Keep} describes. */
  private void keep(Plan.Keep keep) {
    try {
      Source root = keep.source();
      while (root instanceof Source.Mapped mapped) {
        root = mapped.input();
      }
      Optional<Source.Table> place =
          switch (root) {
            case Source.Table table -> Optional.of(table);
            case Source.Gathered gathered -> gathered.anchor();
            case Source.Mapped mapped -> throw new IllegalStateException("a root is not mapped");
          };
      Partitioner own = keep.table().partitioner();
      boolean spread =
          place
              .map(table -> tables.table(table.name()).definition().partitioner().equals(own))
              .orElse(true);
      if (!spread || keep.source() == place.orElse(null)) {
        throw UniserveException.invalid(
            "table '" + keep.table().name() + "' cannot be made of " + keep.source());
      }
      this.kept = Optional.of(new Kept(root, own));
      SortedMap<Integer, Actor> actors = new TreeMap<>();
      compute(keep.source()).sets.forEach((number, set) -> actors.put(number, (Actor) set));
      tables.keep(actors, keep.table());
    } finally {
      close();
    }
  }

  /** The gather whose datasets have the numbers of the actors of a new table. */
  private record Kept(Source gather, Partitioner partitioner) {}

  private int numberOf(
      Source.Gathered gathered, PartitionKey attribute, SortedMap<Integer, Dataset> output) {
    int number =
        kept.filter(one -> one.gather == gathered)
            .map(one -> one.partitioner.actorOf(attribute))
            .orElse(output.size());
    if (output.containsKey(number)) {
      throw UniserveException.invalid("two datasets are to be actor " + number);
    }
    return number;
  }

  private void close() {
    materialised.reversed().forEach(Dataset::close);
    materialised.clear();
  }

  @SuppressWarnings("unchecked") // the answer of such a plan is a definition
  private <R> R redefined(Plan.Redefine redefine) {
    return (R) tables.table(redefine.table()).redefine(redefine);
  }

  /** Runs a measured plan without measurements, since there is no cluster. */
  private <I, R> R unmeasured(Plan.Measured<I, R> measured) {
    return measured.answer().apply(run(measured.plan()), List.of());
  }

  @SuppressWarnings("unchecked")
  private <V, R> R runQuery(Plan.Query<V, R> query) {
    try {
      Data data = compute(query.source());
      Operator.Retrieve<Dataset, V> retrieve =
          (Operator.Retrieve<Dataset, V>) travel(data, query.retrieve());
      Operator.Combiner<V, R> combiner = query.combine().begin();
      data.sets
          .reversed() // a combiner must not depend on the order of the actors
          .forEach(
              (number, set) ->
                  retrieve.retrieve(
                      set,
                      value -> combiner.add(number, travel(data, value)),
                      new LocalContext(number)));
      return combiner.result();
    } finally {
      close();
    }
  }

  private Data compute(Source source) {
    Data known = computed.get(source);
    if (known == null) {
      known =
          switch (source) {
            case Source.Table table -> read(table);
            case Source.Mapped mapped -> map(mapped);
            case Source.Gathered gathered -> gather(gathered);
          };
      computed.put(source, known);
    }
    return known;
  }

  private Data read(Source.Table source) {
    LocalTable<?> table = tables.table(source.name());
    return new Data(new TreeMap<>(table.actorsOf(source.keys())), table.wire());
  }

  @SuppressWarnings("unchecked")
  private Data map(Source.Mapped mapped) {
    Data input = compute(mapped.input());
    Operator.Map<Dataset, Dataset> operator =
        (Operator.Map<Dataset, Dataset>) travel(input, mapped.operator());
    SortedMap<Integer, Dataset> output = new TreeMap<>();
    input.sets.forEach(
        (number, set) ->
            output.put(number, make(() -> operator.map(set, new LocalContext(number)))));
    return new Data(output, input.wire);
  }

  private Data gather(Source.Gathered gathered) {
    SortedMap<PartitionKey, List<ByteBuffer>> chunks = new TreeMap<>();
    gathered.inputs().forEach(input -> scatter(input, gathered.anchor(), chunks));
    Wire wire =
        gathered
            .anchor()
            .map(source -> tables.table(source.name()).wire())
            .orElseGet(() -> compute(gathered.inputs().getFirst().input()).wire);
    SortedMap<Integer, Dataset> output = new TreeMap<>();
    chunks.forEach(
        (attribute, bytes) -> {
          if (reaches(gathered, attribute)) {
            int number = numberOf(gathered, attribute, output);
            output.put(number, make(() -> gather(gathered, wire, attribute, bytes, number)));
          }
        });
    return new Data(output, wire);
  }

  /** Returns whether an attribute's actor is among the keys of the anchor. */
  private boolean reaches(Source.Gathered gathered, PartitionKey attribute) {
    return gathered
        .anchor()
        .map(
            source -> {
              Partitioner partitioner = tables.table(source.name()).definition().partitioner();
              return partitioner.actorsOf(source.keys()).contains(partitioner.actorOf(attribute));
            })
        .orElse(true);
  }

  @SuppressWarnings("unchecked")
  private void scatter(
      Source.Scattered input,
      Optional<Source.Table> anchor,
      SortedMap<PartitionKey, List<ByteBuffer>> chunks) {
    Data data = compute(input.input());
    Operator.Scatter<Dataset> operator = (Operator.Scatter<Dataset>) travel(data, input.operator());
    Optional<Partitioner> at =
        anchor.map(source -> tables.table(source.name()).definition().partitioner());
    data.sets.forEach(
        (number, set) -> {
          if (repeating) {
            operator.scatter(set, chunk -> {}, new LocalContext(number, at));
          }
          operator.scatter(
              set,
              chunk ->
                  chunks
                      .computeIfAbsent(chunk.attribute(), none -> new ArrayList<>())
                      .add(copyOf(chunk.bytes())),
              new LocalContext(number, at));
        });
  }

  @SuppressWarnings("unchecked")
  private Dataset gather(
      Source.Gathered gathered,
      Wire wire,
      PartitionKey attribute,
      List<ByteBuffer> chunks,
      int number) {
    Optional<Actor> anchor =
        gathered
            .anchor()
            .map(source -> tables.table(source.name()))
            .map(table -> table.actor(table.definition().partitioner().actorOf(attribute)));
    Operator.Gather<Actor, Dataset> operator =
        (Operator.Gather<Actor, Dataset>) travel(wire, gathered.operator());
    HostileChunks hostile = new HostileChunks(chunks);
    Dataset made = operator.gather(attribute, hostile, anchor, new LocalContext(number));
    hostile.spoil();
    return made;
  }

  private static ByteBuffer copyOf(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  private <T> T travel(Data data, T value) {
    return travel(data.wire, value);
  }

  private <T> T travel(Wire wire, T value) {
    witness.accept(value);
    return wire.travel(value);
  }

  private Dataset make(Supplier<Dataset> task) {
    if (repeating) {
      task.get().close();
    }
    Dataset made = task.get();
    materialised.add(made);
    return made;
  }
}
