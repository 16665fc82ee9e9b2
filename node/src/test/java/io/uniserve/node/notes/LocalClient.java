package io.uniserve.node.notes;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.client.Coverage;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.ServerStatus.ActorStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.testkit.client.RefusingClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A cluster of one server {@code s1} without any network: each table of notes is one actor in
 * memory. Fails on demand.
 */
public final class LocalClient extends RefusingClient {
  /** The time at which tables are recovered, 2024-05-01T10:00:02Z. */
  private static final long RECOVERED_MILLIS = 1_714_557_602_000L;

  /** The coverage that partial answers have. */
  private volatile Coverage coverage = new Coverage(1, List.of());

  private final Map<String, NotesActor> actors = new LinkedHashMap<>();
  private final Set<String> keysSeen = new TreeSet<>();
  private final List<ChangeListener> listeners = new CopyOnWriteArrayList<>();
  private final Queue<UniserveException> failures = new ConcurrentLinkedQueue<>();
  private final NotesEngine engine = new NotesEngine();
  private ClusterState state = ClusterState.EMPTY;
  private long updates;

  /** Creates a cluster without tables. */
  public LocalClient() {
    change(new ControlRecord.ServerJoined("s1", new Address("s1"), 1));
  }

  /** Makes the next update fail in this way. */
  public void failNextUpdate(UniserveException failure) {
    failures.add(failure);
  }

  /** Applies a control record. */
  public synchronized void change(ControlRecord record) {
    state = Replay.apply(state, record);
    listeners.forEach(listener -> listener.changed(state, record));
  }

  /** Puts a table of what is stored in the place of one that has lost its copies. */
  public void recover(String name, String why) {
    TableState former = state().requireTable(name);
    ControlRecord.TableCreated made =
        new ControlRecord.TableCreated(
            state().version() + 1, former.definition(), List.of(List.of("s1")));
    change(new ControlRecord.TableRecovered(former.id(), made, RECOVERED_MILLIS, why));
  }

  /** Creates a table of notes. */
  public void createNotes(String name) {
    createTable(
        new TableDefinition(
            name,
            "notes",
            new io.uniserve.api.partition.Partitioner.Hash(1),
            1,
            Durability.ASYNCHRONOUS,
            Map.of()),
        Duration.ZERO);
  }

  @Override
  public <R> R query(Plan<R> plan, QueryOptions options) {
    return switch (plan) {
      case Plan.Query<?, R> query -> run(query);
      case Plan.Nested<R> nested -> {
        List<Object> answers = new ArrayList<>();
        nested.subqueries().forEach(subquery -> answers.add(query(subquery, options)));
        yield query(nested.next().apply(answers), options);
      }
      case Plan.Known<R> known -> known.answer();
      case Plan.Computed<R> computed -> computed.work().apply(options.timeout());
      case Plan.Update update -> throw new UnsupportedOperationException(update.toString());
      case Plan.Redefine redefine -> throw new UnsupportedOperationException(redefine.toString());
      case Plan.Measured<?, R> measured ->
          throw new UnsupportedOperationException(measured.toString());
      case Plan.Keep keep -> throw new UnsupportedOperationException(keep.toString());
    };
  }

  @SuppressWarnings("unchecked")
  private <V, R> R run(Plan.Query<V, R> query) {
    NotesActor actor = actors.get(((Source.Table) query.source()).name());
    Operator.Combiner<V, R> combiner = query.combine().begin();
    ((Operator.Retrieve<NotesActor, V>) query.retrieve())
        .retrieve(actor, value -> combiner.add(0, value), new NoContext());
    return combiner.result();
  }

  /** Sets the coverage that partial answers have from now on. */
  public void cover(Coverage next) {
    coverage = next;
  }

  @Override
  public <R> PartialAnswer<R> queryPartially(Plan<R> plan, QueryOptions options) {
    return new PartialAnswer<>(query(plan, options), coverage);
  }

  @Override
  public OrderedSession session(String table, SessionOptions options) {
    throw new UnsupportedOperationException("no test here has a session");
  }

  @Override
  @SuppressWarnings("unchecked")
  public synchronized <R extends PartitionedRecord> UpdateReceipt update(
      String table,
      UpdateFunction<?, R> function,
      List<? extends R> records,
      UpdateOptions options) {
    boolean first = options.idempotencyKey().map(keysSeen::add).orElse(true);
    if (first) {
      updates++;
      ((UpdateFunction.Eventual<NotesActor, R>) function)
          .update(actors.get(table), (List<R>) records);
    }
    UniserveException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
    return new UpdateReceipt(new TreeMap<>(), 0);
  }

  /** Returns how many updates have been applied, those repeated with one key counted once. */
  public synchronized long updateCount() {
    return updates;
  }

  @Override
  public synchronized TableState createTable(TableDefinition definition, Duration timeout) {
    if (!definition.engine().equals("notes")) {
      throw UniserveException.invalid("there is no engine '" + definition.engine() + "'");
    }
    long id = state.version();
    change(new ControlRecord.TableCreated(id, definition, List.of(List.of("s1"))));
    change(new ControlRecord.CopyReady(new ActorId(id, 0), "s1"));
    actors.put(definition.name(), new NotesActor());
    return state.requireTable(definition.name());
  }

  @Override
  public synchronized void dropTable(String name, Duration timeout) {
    change(new ControlRecord.TableDropped(state.requireTable(name).id()));
    actors.remove(name);
  }

  @Override
  public synchronized ClusterState state() {
    return state;
  }

  @Override
  public Subscription onChange(ChangeListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public List<ServerStatus> statuses(Duration timeout) {
    List<ActorStatus> copies = new ArrayList<>();
    for (TableState table : state().tables().values()) {
      copies.add(
          new ActorStatus(
              table.actorId(0),
              "primary",
              new Position(1, 7),
              Optional.of(new Position(1, 4)),
              3,
              Duration.ofSeconds(2),
              new Usage(1000, 2000),
              3,
              7,
              42.0,
              Optional.empty(),
              5));
    }
    return List.of(
        new ServerStatus(
            "s1",
            1,
            Duration.ofSeconds(5),
            1,
            2,
            ServerStatus.QueryData.NONE,
            new ServerStatus.Scans(1, 0, 0, 0),
            Optional.empty(),
            copies));
  }

  @Override
  public Planner planner(TableDefinition table) {
    return engine.planner().orElseThrow();
  }

  @Override
  public void close() {
    listeners.clear();
  }

  private record NoContext() implements OperatorContext {
    @Override
    public int actor() {
      return 0;
    }

    @Override
    public Duration remaining() {
      return Duration.ofSeconds(1);
    }

    @Override
    public boolean cancelled() {
      return false;
    }

    @Override
    public void checkCancelled() {
      // never
    }

    @Override
    public void reportCost(double cost) {
      // nobody asks
    }
  }
}
