package io.uniserve.engines.warehouse;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Answer;
import io.uniserve.api.BatchedUpdate;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.backend.ActorDatabase;
import io.uniserve.sql.backend.Backend;
import io.uniserve.sql.backend.Broadcast;
import io.uniserve.sql.backend.Change;
import io.uniserve.sql.backend.Reshaping;
import io.uniserve.sql.backend.Row;
import io.uniserve.sql.backend.SchemaDocument;
import io.uniserve.sql.backend.Session;
import io.uniserve.sql.backend.StoredSchema;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.changes.PreparedUpdate;
import io.uniserve.sql.changes.PutRows;
import io.uniserve.sql.changes.WritableActor;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.arrow.vector.VectorSchemaRoot;

/** A database with this actor's rows of all tables of the warehouse. */
final class LiveWarehouse implements WarehouseActor, WritableActor {
  private final ActorContext context;
  private volatile WarehouseSchema schema;
  private final Backend backend;
  private final ActorDatabase database;
  private final Session writer;

  private final Readers readers;

  /**
   * The lock of commits. A transaction that begins while DuckDB commits another may see a part of
   * that.
   */
  private final ReadWriteLock visibility = new ReentrantReadWriteLock();

  /** The prepared work, which is not committed yet. */
  private Session.Work prepared = Session.Work.NONE;

  private Answer answer = Answer.NONE;

  /** The schema after the prepared work. */
  private WarehouseSchema next;

  /** The number of commits since the actor was opened; it changes under the lock. */
  private long version;

  /**
   * True if a transaction of the writer ended with an unknown outcome. Its changes may be stored or
   * not. There may also be no open transaction, so that statements would be stored one by one. The
   * actor then accepts no changes, and the runtime opens it again.
   */
  private volatile boolean failed;

  private volatile Counted counted = new Counted(-1, Map.of());

  private record Counted(long version, Map<String, TableSize> sizes) {}

  private LiveWarehouse(
      ActorContext context, WarehouseSchema schema, Backend backend, ActorDatabase database)
      throws IOException {
    this.context = context;
    this.backend = backend;
    this.database = database;
    this.readers =
        new Readers(backend.takesSnapshots() ? Runtime.getRuntime().availableProcessors() : 0);
    try {
      writer = database.connect();
      this.schema = backend.redefines() ? remembered().orElse(schema) : schema;
      this.next = this.schema;
    } catch (SQLException | RuntimeException e) {
      database.close();
      throw new IOException(where() + " cannot be opened: " + e.getMessage(), e);
    }
  }

  static LiveWarehouse create(ActorContext context, Backend backend) throws IOException {
    WarehouseSchema schema = WarehouseSchema.of(context.table());
    return new LiveWarehouse(context, schema, backend, backend.create(context, schema));
  }

  static LiveWarehouse open(ActorContext context, Backend backend) throws IOException {
    WarehouseSchema schema = WarehouseSchema.of(context.table());
    return new LiveWarehouse(context, schema, backend, backend.open(context, schema));
  }

  private Optional<WarehouseSchema> remembered() throws SQLException {
    Optional<WarehouseSchema> found = StoredSchema.read(context.table().name(), writer);
    writer.rollback();
    return found;
  }

  @Override
  public void prepare(Changing change) {
    prepareWork(session -> change.with(new Change(schema, session)));
  }

  private void prepareWork(Session.Work work) {
    requireSound();
    try {
      work.in(writer);
      prepared = prepared.then(work);
    } catch (SQLException e) {
      abort();
      throw failure(" cannot be changed", e);
    } catch (RuntimeException e) {
      abort();
      throw e;
    }
  }

  @Override
  public void answer(Answer given) {
    answer = given;
  }

  @Override
  public Answer answer() {
    return answer;
  }

  /**
   * Applies updates in one transaction, and rows in one statement, which take as long as for one of
   * them. A transaction with a refused update is rolled back, and those before it are applied
   * without it.
   */
  @Override
  public List<BatchedUpdate.Outcome> updateAll(List<BatchedUpdate> updates) {
    if (updates.size() == 1 || updates.stream().anyMatch(one -> !isChangeOfRows(one.function()))) {
      return WarehouseActor.super.updateAll(updates);
    }
    List<BatchedUpdate.Outcome> outcomes = new ArrayList<>();
    boolean goOn = true;
    while (goOn && outcomes.size() < updates.size()) {
      outcomes.addAll(updateTogether(updates.subList(outcomes.size(), updates.size())));
      goOn =
          !(outcomes.getLast() instanceof BatchedUpdate.Outcome.Refused refused
              && refused.reason().retryable());
    }
    return outcomes;
  }

  /** Returns whether an update leaves the schema as it is, on which those after it rely. */
  static boolean isChangeOfRows(UpdateFunction<?, ?> function) {
    return function instanceof PreparedUpdate<?, ?> && !(function instanceof BecomeSchema);
  }

  /** Applies the updates before the first that is refused; returns their outcomes, and that. */
  private List<BatchedUpdate.Outcome> updateTogether(List<BatchedUpdate> updates) {
    List<BatchedUpdate.Outcome> outcomes = new ArrayList<>();
    if (updates.stream().allMatch(one -> one.function() instanceof PutRows) && putAll(updates)) {
      updates.forEach(each -> outcomes.add(new BatchedUpdate.Outcome.Applied(Answer.NONE)));
      return outcomes;
    }
    Optional<UniserveException> refusal = prepareAll(updates, outcomes);
    if (refusal.isPresent() && !outcomes.isEmpty()) {
      List<BatchedUpdate> sound = updates.subList(0, outcomes.size());
      outcomes.clear();
      prepareAll(sound, outcomes)
          .ifPresent(
              again -> {
                throw new IllegalStateException(
                    where() + " refuses what it took a moment before", again);
              });
    }
    if (!outcomes.isEmpty()) {
      commit();
    }
    refusal.ifPresent(reason -> outcomes.add(new BatchedUpdate.Outcome.Refused(reason)));
    return outcomes;
  }

  /**
   * Stores the rows of updates as if one update had them all. Nothing is stored if one of the
   * updates is refused.
   *
   * @return true if the rows are stored
   */
  private boolean putAll(List<BatchedUpdate> updates) {
    List<Row> rows = new ArrayList<>();
    updates.forEach(each -> each.records().forEach(record -> rows.add((Row) record)));
    try {
      prepare(change -> change.put(rows));
    } catch (UniserveException e) {
      return false; // whose rows they are shows when they are stored one by one
    }
    commit();
    return true;
  }

  /**
   * Prepares updates until one is refused, after which nothing is prepared.
   *
   * @param outcomes receives an outcome for each before it
   * @return the refusal
   */
  @SuppressWarnings("unchecked")
  private Optional<UniserveException> prepareAll(
      List<BatchedUpdate> updates, List<BatchedUpdate.Outcome> outcomes) {
    for (BatchedUpdate update : updates) {
      var function = (PreparedUpdate<WritableActor, PartitionedRecord>) update.function();
      try {
        outcomes.add(
            new BatchedUpdate.Outcome.Applied(
                function.begin(this, (List<PartitionedRecord>) update.records())));
      } catch (UniserveException e) {
        return Optional.of(e);
      }
    }
    return Optional.empty();
  }

  /**
   * Prepares a change of the schema. It changes nothing if the actor fits this or a later schema.
   *
   * @throws UniserveException as {@link #prepare} does
   */
  void prepareSchema(SchemaDocument document) {
    WarehouseSchema wanted = WarehouseSchema.of(context.table().name(), document.schema());
    if (wanted.revision() > schema.revision()) {
      prepare(change -> change.become(wanted));
      next = wanted;
    }
  }

  @Override
  public void commit() {
    requireSound();
    visibility.writeLock().lock();
    try {
      version++;
      readers.retire(version);
      writer.commit(prepared);
      schema = next;
    } catch (SQLException e) {
      throw inDoubt(" may be changed or not", e);
    } finally {
      prepared = Session.Work.NONE;
      visibility.writeLock().unlock();
    }
  }

  @Override
  public void abort() {
    requireSound();
    prepared = Session.Work.NONE;
    next = schema;
    try {
      writer.rollback();
    } catch (SQLException e) {
      throw inDoubt(" cannot be changed back", e);
    }
  }

  /**
   * Makes an error for an unknown outcome. It is no {@link UniserveException}, which the runtime
   * would take for a refusal.
   */
  private IllegalStateException inDoubt(String what, SQLException e) {
    failed = true;
    return new IllegalStateException(where() + what + ": " + e.getMessage(), failure(what, e));
  }

  private void requireSound() {
    if (failed) {
      throw new IllegalStateException(
          where() + " is in an unknown state since a transaction failed");
    }
  }

  @Override
  public boolean failed() {
    return failed;
  }

  @Override
  public long query(
      List<Broadcast> inputs,
      String sql,
      OperatorContext request,
      Consumer<VectorSchemaRoot> rows) {
    try {
      return query(Long.MAX_VALUE, inputs, sql, request, rows).orElseThrow();
    } catch (SQLException e) {
      request.checkCancelled();
      throw failure("", e);
    }
  }

  /**
   * Runs a query on the data that is committed now, and passes on its rows, some at a time.
   *
   * @return the number of rows; empty if there has been a later commit than {@code newest}
   */
  OptionalLong query(
      long newest,
      List<Broadcast> inputs,
      String sql,
      OperatorContext request,
      Consumer<VectorSchemaRoot> rows)
      throws SQLException {
    Optional<Reader> begun = begin(newest, inputs.isEmpty());
    if (begun.isEmpty()) {
      return OptionalLong.empty();
    }
    Session session = begun.get().session;
    try {
      long count;
      if (inputs.isEmpty()) {
        count = session.read(sql, request.remaining(), request::cancelled, rows);
        if (request.cancelled()) {
          session.close(); // it may have been interrupted
        } else {
          readers.keep(session, begun.get().version);
        }
      } else {
        count = session.query(inputs, sql, request.remaining(), request::cancelled, rows);
        session.close(); // a transaction keeps tables that were dropped in it
      }
      return OptionalLong.of(count);
    } catch (SQLException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  /** A session with a transaction that sees a version. */
  private record Reader(Session session, long version) {}

  /** Begins a transaction; empty if there has been a later commit than {@code newest}. */
  private Optional<Reader> begin(long newest, boolean mayBeUsed) throws SQLException {
    visibility.readLock().lock();
    try {
      if (version > newest) {
        return Optional.empty();
      }
      Optional<Session> idle = mayBeUsed ? readers.take(version) : Optional.empty();
      return Optional.of(new Reader(idle.isPresent() ? idle.get() : begin(), version));
    } finally {
      visibility.readLock().unlock();
    }
  }

  /** Begins a transaction that sees the data that is committed now. */
  private Session begin() throws SQLException {
    Session session = database.connect();
    visibility.readLock().lock();
    try {
      session.begin();
      return session;
    } catch (SQLException | RuntimeException e) {
      session.close();
      throw e;
    } finally {
      visibility.readLock().unlock();
    }
  }

  @Override
  public Optional<Actor> snapshot() {
    if (!backend.takesSnapshots()) {
      return Optional.empty();
    }
    visibility.readLock().lock();
    try {
      return Optional.of(new WarehouseSnapshot(this, version, begin()));
    } catch (SQLException e) {
      throw failure(" gives no snapshot", e);
    } finally {
      visibility.readLock().unlock();
    }
  }

  /** Returns the sizes, which are counted once after each commit, when they are asked for. */
  @Override
  public Map<String, TableSize> sizes() {
    visibility.readLock().lock();
    try {
      if (counted.version != version) {
        try (Session session = begin()) {
          counted = new Counted(version, session.sizes(schema));
        }
      }
      return counted.sizes;
    } catch (SQLException e) {
      throw failure("", e);
    } finally {
      visibility.readLock().unlock();
    }
  }

  @Override
  public WarehouseSchema schema() {
    return schema;
  }

  @Override
  public void retain(Predicate<PartitionKey> kept) {
    prepareWork(session -> new Reshaping(schema, session).retain(kept));
    commit();
    shrink();
  }

  @Override
  public Optional<PartitionKey> middle() {
    try (Session session = begin()) {
      return new Reshaping(schema, session).middle();
    } catch (SQLException e) {
      throw failure(" does not tell its middle", e);
    }
  }

  @Override
  public void absorb(Actor other) {
    LiveWarehouse they = (LiveWarehouse) other;
    try (Session theirs = they.begin()) {
      long now = System.currentTimeMillis();
      prepareWork(session -> new Reshaping(schema, session).absorb(they.schema, theirs, now));
    } catch (SQLException e) {
      abort();
      throw failure(" cannot take what another has", e);
    }
    commit();
    shrink();
  }

  private void shrink() {
    try {
      database.shrink();
    } catch (SQLException e) {
      throw inDoubt(" cannot be shortened", e); // the prepared work is dropped in any case
    }
  }

  @Override
  public void serialize(Path target) throws IOException {
    try {
      database.write(target);
    } catch (IOException e) {
      failed |= !database.usable();
      throw e;
    }
  }

  @Override
  public Usage usage() {
    return database.usage();
  }

  @Override
  public void close() {
    try (database) {
      readers.close();
      if (!failed) {
        writer.rollback();
      }
      writer.close();
    } catch (SQLException e) {
      throw failure(" cannot be closed", e);
    }
  }

  /** Converts an error of the database about this actor. */
  UniserveException failure(String what, SQLException e) {
    failed |= !database.usable();
    return database.failure(where() + what, e);
  }

  String where() {
    return "actor " + context.actor() + " of warehouse '" + context.table().name() + "'";
  }
}
