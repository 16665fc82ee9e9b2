package io.uniserve.simulation.model;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.BatchedUpdate;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.Usage;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A journal in memory. A journal that was opened shows eventual updates only after a refresh, as
 * engines do that open their readers in the background; from then on it shows them at once. Updates
 * that wait together are one batch, as those of a scan are: each is answered with what those before
 * it do, and the journal gets the operations of all of them at the end, at once.
 */
public final class ModelActor implements Actor {
  private static final String FILE = "journal";
  private static final String MARKS = "marks";

  /** The most updates of a batch; others are left to the next. */
  private static final int BATCH_MAX = 5;

  private final ActorContext context;
  private final ModelObserver observer;
  private final ModelFailures failures;
  private final BatchDefect defect;
  private final List<Operation> journal;

  /** The number of the last operation of each key. */
  private final Map<Long, Long> last = new LinkedHashMap<>();

  private Marks marks;

  /** The operations of the updates of the batch that is under way, in their order. */
  private Optional<List<Operation>> batch = Optional.empty();

  /** The operations that each update of a transaction has prepared, in their order. */
  private final List<List<Operation>> prepared = new ArrayList<>();

  /** The number of operations that operators see at most. */
  private int shown = Integer.MAX_VALUE;

  private boolean closed;

  private ModelActor(
      ActorContext context,
      ModelObserver observer,
      ModelFailures failures,
      BatchDefect defect,
      List<Operation> journal,
      Marks marks) {
    this.context = context;
    this.observer = observer;
    this.failures = failures;
    this.defect = defect;
    this.marks = marks;
    this.journal = new ArrayList<>(journal);
    recount();
    observer.opened(this);
  }

  /** Creates a new, empty journal. */
  static ModelActor create(
      ActorContext context, ModelObserver observer, ModelFailures failures, BatchDefect defect) {
    return new ModelActor(
        context, observer, failures, defect, List.of(), Marks.of(context.table()));
  }

  /**
   * Creates a journal that a query has made: it belongs to no table yet, and nobody observes it.
   */
  static ModelActor made(List<Operation> journal) {
    TableDefinition table =
        new TableDefinition(
            "made", ModelEngine.NAME, new Partitioner.Hash(1), 1, Durability.NONE, Map.of());
    return new ModelActor(
        new ActorContext(table, 0, Path.of("")),
        ModelObserver.NOBODY,
        ModelFailures.NONE,
        BatchDefect.NONE,
        journal,
        Marks.of(table));
  }

  /** Reads a journal from the files that {@link #serialize} wrote. */
  static ModelActor read(
      ActorContext context, ModelObserver observer, ModelFailures failures, BatchDefect defect)
      throws IOException {
    ModelActor opened =
        new ModelActor(
            context,
            observer,
            failures,
            defect,
            JournalFile.read(context.directory().resolve(FILE)),
            marks(JournalFile.read(context.directory().resolve(MARKS))));
    opened.shown =
        context.table().consistency() == Consistency.EVENTUAL
            ? opened.journal.size()
            : Integer.MAX_VALUE;
    return opened;
  }

  /** Returns the table and the actor that it is a copy of. */
  public ActorContext context() {
    return context;
  }

  /** Returns all operations applied so far, in order. */
  public List<Operation> journal() {
    requireOpen();
    return List.copyOf(journal);
  }

  /** Returns the operations that operators see, in order. */
  List<Operation> visible() {
    requireOpen();
    return List.copyOf(journal.subList(0, Math.min(shown, journal.size())));
  }

  /**
   * Returns the marks of a file, where they are the keys of operations; the number of the first is
   * their revision.
   */
  private static Marks marks(List<Operation> file) {
    return new Marks(file.getFirst().number(), file.stream().skip(1).map(Operation::key).toList());
  }

  private static List<Operation> file(Marks marks) {
    List<Operation> file = new ArrayList<>(List.of(new Operation(0, marks.revision())));
    marks.ids().forEach(id -> file.add(new Operation(id, 0)));
    return file;
  }

  /** Returns the marks that it was given last. */
  public Marks marks() {
    requireOpen();
    return marks;
  }

  void take(Marks given) {
    requireUndisturbed();
    marks = given.revision() > marks.revision() ? given : marks;
  }

  /** Returns the number of the operation that comes before each with its key; 0 if none does. */
  List<Long> before(List<Operation> operations) {
    return before(operations, new LinkedHashMap<>());
  }

  /** Returns the same for the update that was prepared last. */
  List<Long> beforePrepared() {
    Map<Long, Long> latest = new LinkedHashMap<>();
    prepared
        .subList(0, prepared.size() - 1)
        .forEach(some -> some.forEach(one -> latest.put(one.key(), one.number())));
    return before(prepared.getLast(), latest);
  }

  private List<Long> before(List<Operation> operations, Map<Long, Long> latest) {
    List<Long> before = new ArrayList<>();
    for (Operation operation : operations) {
      Long within = latest.put(operation.key(), operation.number());
      before.add(within == null ? last.getOrDefault(operation.key(), 0L) : within);
    }
    return before;
  }

  /** Finds the last operation of each key again. */
  private void recount() {
    last.clear();
    journal.forEach(operation -> last.put(operation.key(), operation.number()));
  }

  @Override
  public List<BatchedUpdate.Outcome> updateAll(List<BatchedUpdate> updates) {
    requireUndisturbed();
    return defect.take(updates, this::takeTogether);
  }

  /** Takes the first of some updates: all that a batch has room for. */
  private List<BatchedUpdate.Outcome> takeTogether(List<BatchedUpdate> updates) {
    List<Operation> operations = new ArrayList<>();
    batch = Optional.of(operations);
    List<BatchedUpdate.Outcome> outcomes;
    try {
      outcomes = Actor.super.updateAll(updates.subList(0, Math.min(BATCH_MAX, updates.size())));
    } finally {
      batch = Optional.empty();
    }
    if (!operations.isEmpty()) {
      appendTogether(operations);
    }
    return outcomes;
  }

  private void appendTogether(List<Operation> operations) {
    int half = operations.size() / 2;
    try {
      failures.perhaps("a batch");
      add(operations.subList(0, half));
      failures.perhaps("a batch of which half is done");
      add(operations.subList(half, operations.size()));
      failures.perhaps("what follows a batch");
    } catch (IllegalStateException e) {
      observer.failed(operations);
      throw e;
    }
  }

  void append(List<Operation> operations) {
    if (batch.isPresent()) {
      batch.get().addAll(operations);
      operations.forEach(operation -> last.put(operation.key(), operation.number()));
      return;
    }
    try {
      failures.perhaps("an update");
      add(operations);
      failures.perhaps("what follows an update");
    } catch (IllegalStateException e) {
      observer.failed(operations);
      throw e;
    }
  }

  private void add(List<Operation> operations) {
    requireUndisturbed();
    journal.addAll(operations);
    operations.forEach(operation -> last.put(operation.key(), operation.number()));
    observer.applied(this, operations);
  }

  void prepare(List<Operation> operations) {
    requireOpen();
    failures.perhaps("a preparation");
    prepared.add(List.copyOf(operations));
    failures.perhaps("what follows a preparation");
  }

  void commit() {
    failures.perhaps("a commit");
    if (prepared.isEmpty()) {
      throw new IllegalStateException("actor " + context.actor() + " has prepared nothing");
    }
    List<Operation> committed = prepared();
    prepared.clear();
    failures.perhaps("a commit of which half is done");
    add(committed);
    failures.perhaps("what follows a commit");
  }

  void abort() {
    requireOpen();
    prepared.clear();
  }

  /** Returns the operations that are prepared and not decided. */
  public List<Operation> prepared() {
    return prepared.stream().flatMap(List::stream).toList();
  }

  @Override
  public void serialize(Path directory) throws IOException {
    requireUndisturbed();
    Files.write(directory.resolve(FILE), JournalFile.bytes(journal));
    failures.perhaps("a checkpoint of which half is written");
    Files.write(directory.resolve(MARKS), JournalFile.bytes(file(marks)));
  }

  @Override
  public void refresh() {
    requireOpen();
    failures.perhaps("a refresh");
    shown = Integer.MAX_VALUE;
  }

  @Override
  public void retain(Predicate<PartitionKey> kept) {
    requireUndisturbed();
    refresh();
    journal.removeIf(operation -> !kept.test(operation.partitionKey()));
    recount();
    observer.opened(this);
  }

  @Override
  public void absorb(Actor other) {
    requireUndisturbed();
    refresh();
    ModelActor its = (ModelActor) other;
    journal.addAll(its.journal());
    recount();
    take(its.marks);
    observer.opened(this);
  }

  @Override
  public Optional<PartitionKey> middle() {
    requireUndisturbed();
    List<PartitionKey> keys =
        journal.stream().map(Operation::partitionKey).distinct().sorted().toList();
    return keys.size() < 2 ? Optional.empty() : Optional.of(keys.get(keys.size() / 2));
  }

  /** Returns the journal so far, which nobody observes. */
  @Override
  public Optional<Actor> snapshot() {
    requireUndisturbed();
    return Optional.of(
        new ModelActor(
            context, ModelObserver.NOBODY, ModelFailures.NONE, BatchDefect.NONE, journal, marks));
  }

  @Override
  public Usage usage() {
    return new Usage(journal.size() * 16L, 0);
  }

  @Override
  public void close() {
    requireOpen();
    observer.closed(this);
    closed = true;
  }

  private void requireUndisturbed() {
    requireOpen();
    if (!prepared.isEmpty()) {
      throw new IllegalStateException(
          "actor " + context.actor() + " is disturbed between prepare and its end");
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("actor " + context.actor() + " is used after it was closed");
    }
  }
}
