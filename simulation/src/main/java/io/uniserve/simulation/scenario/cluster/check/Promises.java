package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.work.Shapes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The promises to clients: the acknowledged operations, and their actors. The loss of an operation
 * is excused if the last server that had it, and should have it, ended or was given up: nothing
 * promises that the operation survives that, unless the table's durability is synchronous. A server
 * that has it only because it has not heard yet that its copy was moved away does not count. To
 * move the last copy away is no excuse.
 */
public final class Promises {
  private final Holdings holdings;
  private final StateOracle truth;
  private final Shapes shapes;
  private final Excuse excuse;
  private final InstantSource time;
  private final AcceptedLosses losses;
  private final Map<Long, Promise> byOperation = new LinkedHashMap<>();

  /** The answers to operations, by number. */
  private final Map<Long, Long> answers = new LinkedHashMap<>();

  private final SortedMap<ActorId, SortedMap<Position, Placed>> positions = new TreeMap<>();
  private final Map<Told, List<Operation>> byPlace = new LinkedHashMap<>();
  private final Set<Long> excused = new LinkedHashSet<>();

  /**
   * The operations that were begun before their table was replaced, and acknowledged afterwards: a
   * table may answer for the one that it was made of, with the positions of that one.
   */
  private final Set<Long> answeredLater = new LinkedHashSet<>();

  /** The number of tables that had been replaced when each operation was begun. */
  private final Map<Long, Integer> begun = new LinkedHashMap<>();

  private Token token = Token.NONE;

  /** The conditions under which the loss of an acknowledged operation is excused. */
  public enum Excuse {
    /**
     * The operation was, at some moment, on no running server that the cluster had not given up,
     * unless all copies had it when it was acknowledged.
     */
    PRIMARY_ALONE,
    /**
     * The operation was, at some moment, on no running server that the cluster had not given up.
     */
    NOWHERE,
    /** An election had to choose a copy without it. */
    LOST_ELECTION,
    /** A loss is never excused, since the operation is in the durable store. */
    NEVER
  }

  /**
   * One acknowledged operation.
   *
   * @param client that was told
   * @param operation the operation
   * @param table the identity of the table, which was replaced if the promise is older
   * @param actor the actor of the operation
   * @param position the position of its update in the actor's log
   * @param level the level of the acknowledgement
   * @param at the time of it
   */
  public record Promise(
      String client,
      Operation operation,
      long table,
      int actor,
      Position position,
      Acknowledgement level,
      Instant at) {}

  /**
   * One place that an acknowledgement named. The parts of an actor that was split have the place of
   * an update of the whole, so several actors may have it.
   */
  private record Told(String client, Instant at, Position position) {}

  /**
   * @param time returns the true time
   * @param excuse the condition under which a loss is excused
   * @param losses that an operator has accepted
   */
  public Promises(
      Holdings holdings,
      StateOracle truth,
      Shapes shapes,
      Excuse excuse,
      InstantSource time,
      AcceptedLosses losses) {
    this.excuse = excuse;
    this.losses = losses;
    this.time = time;
    this.holdings = holdings;
    this.truth = truth;
    this.shapes = shapes;
  }

  /** Returns promises whose loss nothing excuses. */
  public static Promises unexcused(Shapes shapes) {
    StateOracle nothing = new StateOracle(server -> {}, (table, number, before) -> {}, text -> {});
    return new Promises(
        new Holdings(),
        nothing,
        shapes,
        Excuse.NEVER,
        InstantSource.fixed(Instant.EPOCH),
        new AcceptedLosses());
  }

  /**
   * Notes an acknowledged update.
   *
   * @param decisions the decisions on its operations; updates of one group have a place together
   */
  void acknowledged(
      String client,
      String key,
      List<Operation> operations,
      Acknowledgement level,
      UpdateReceipt receipt,
      Set<Commitments.Decision> decisions) {
    token = token.and(Token.of(receipt));
    Placed placed = new Placed(key, decisions);
    receipt.positions().forEach((actor, position) -> place(actor, position, placed));
    long table = receipt.positions().firstKey().table();
    for (int i = 0; i < receipt.answers().size(); i++) {
      answers.put(operations.get(i).number(), (Long) receipt.answers().get(i));
    }
    List<Integer> told = receipt.positions().keySet().stream().map(ActorId::number).toList();
    for (Operation operation : operations) {
      int actor = shapes.actorOf(operation, told);
      Position position =
          receipt.positions().entrySet().stream()
              .filter(entry -> entry.getKey().number() == actor)
              .findFirst()
              .orElseThrow()
              .getValue();
      byPlace
          .computeIfAbsent(new Told(client, time.instant(), position), absent -> new ArrayList<>())
          .add(operation);
      byOperation.put(
          operation.number(),
          new Promise(client, operation, table, actor, position, level, time.instant()));
      if (isOfReplaced(operation)) {
        answeredLater.add(operation.number());
      }
      if (excuse == Excuse.PRIMARY_ALONE && level == Acknowledgement.ALL_COPIES) {
        excused.remove(operation.number());
      } else if (excuse == Excuse.NOWHERE || excuse == Excuse.PRIMARY_ALONE) {
        excuseIfNowhere(shapes.actorOf(operation), operation.number());
      }
    }
  }

  /**
   * Notes the place of an update. An update from before a merge has a place in the log of either
   * actor.
   */
  private void place(ActorId actor, Position position, Placed placed) {
    if (position.epoch() < truth.firstEpoch(actor) && shapes.wasMerged(actor.number())) {
      return;
    }
    Placed former =
        positions.computeIfAbsent(actor, absent -> new TreeMap<>()).putIfAbsent(position, placed);
    Invariant.ONE_PRIMARY.require(
        former == null || former.mayStandWith(placed),
        () ->
            "position " + position + " of " + actor + " was given to " + former + " and " + placed);
  }

  /** An update that has a place in the log of an actor. */
  private record Placed(String key, Set<Commitments.Decision> decisions) {
    /** Returns whether both are the same update, or of one group. */
    boolean mayStandWith(Placed other) {
      return key.equals(other.key) || decisions.stream().anyMatch(other.decisions::contains);
    }
  }

  /**
   * Excuses the loss of an operation: an election chose a copy without it, and nobody who could
   * vote had it.
   */
  void excuse(Operation operation) {
    if (excuse != Excuse.NEVER) {
      excused.add(operation.number());
    }
  }

  /** Notes that a server ended, or was given up, with its data. */
  public void lost(String server) {
    if (excuse != Excuse.NOWHERE && excuse != Excuse.PRIMARY_ALONE) {
      return;
    }
    // This includes operations that no client knows to be acknowledged yet, since their other parts
    // may take longer, and those of a copy that is opened again, since its engine failed.
    Set<Operation> had = holdings.of(server);
    holdings.closed(server).stream()
        .filter(operation -> truth.hasCopy(server, shapes.actorOf(operation)))
        .forEach(had::add);
    for (Operation operation : had) {
      if (!excused.contains(operation.number())
          && !isKeptByAll(operation)
          && availableHolders(shapes.actorOf(operation), operation.number()).stream()
              .allMatch(server::equals)) {
        excused.add(operation.number());
      }
    }
  }

  /** Notes that a copy was opened again without some operations, since its disk forgot them. */
  public void forgotten(Set<Long> operations) {
    if (excuse == Excuse.NOWHERE || excuse == Excuse.PRIMARY_ALONE) {
      operations.stream()
          .flatMap(number -> Optional.ofNullable(byOperation.get(number)).stream())
          .map(Promise::operation)
          .filter(operation -> !isKeptByAll(operation))
          .forEach(operation -> excuseIfNowhere(shapes.actorOf(operation), operation.number()));
    }
  }

  private boolean isKeptByAll(Operation operation) {
    Promise promise = byOperation.get(operation.number());
    return excuse == Excuse.PRIMARY_ALONE
        && promise != null
        && promise.level() == Acknowledgement.ALL_COPIES;
  }

  private void excuseIfNowhere(int actor, long operation) {
    if (holdings.wasHeld(operation) && availableHolders(actor, operation).isEmpty()) {
      excused.add(operation);
    }
  }

  private List<String> availableHolders(int actor, long operation) {
    return holdings.holders(operation).stream()
        .filter(server -> truth.state().alive(server) && truth.isToHave(server, actor))
        .toList();
  }

  /** Returns the operations acknowledged so far that every readable copy has. */
  List<Promise> onAllCopies() {
    return byOperation.values().stream()
        .filter(promise -> promise.level() == Acknowledgement.ALL_COPIES)
        .toList();
  }

  /**
   * Returns a token of everything that anybody was told of updates. One of a table that was
   * replaced is refused.
   */
  Token token() {
    return token.of(truth.state().tables().keySet());
  }

  /** Notes that operations are begun. */
  void begun(List<Operation> operations) {
    operations.forEach(operation -> begun.putIfAbsent(operation.number(), losses.replacements()));
  }

  /** Returns the promise of an operation, if it was acknowledged. */
  private Optional<Promise> of(Operation operation) {
    return Optional.ofNullable(byOperation.get(operation.number()));
  }

  /** Returns whether the decision to replace the table has given up an acknowledged operation. */
  private boolean isGivenUp(Operation operation) {
    return of(operation).flatMap(losses::lostTo).isPresent();
  }

  /** Returns the table of an acknowledged operation that is behind the cut of its replacement. */
  OptionalLong givenUpIn(Operation operation) {
    return of(operation).flatMap(losses::lostToCut).isPresent()
        ? OptionalLong.of(losses.tableOf(byOperation.get(operation.number())))
        : OptionalLong.empty();
  }

  /** Returns the table of an acknowledged operation that was not given up. */
  OptionalLong keptIn(Operation operation) {
    return of(operation).isPresent() && !isGivenUp(operation)
        ? OptionalLong.of(losses.tableOf(byOperation.get(operation.number())))
        : OptionalLong.empty();
  }

  /** Returns whether an operation was acknowledged by another table than it was begun in. */
  boolean wasAnsweredLater(Operation operation) {
    return answeredLater.contains(operation.number());
  }

  /** Returns how often the table was replaced so far. */
  int replacements() {
    return losses.replacements();
  }

  /** Returns whether an operation may be lost although the other parts of its update are not. */
  boolean mayBeTorn(Operation operation) {
    return excused.contains(operation.number());
  }

  boolean isExcused(Promise promise) {
    return excused.contains(promise.operation().number()) || losses.excuse(promise);
  }

  public boolean isExcused(Operation operation) {
    Promise promise = byOperation.get(operation.number());
    return promise == null ? excused.contains(operation.number()) : isExcused(promise);
  }

  /**
   * Returns whether the present state may lack an operation that it had before. One that was lost
   * with a table may be applied by the next one, which acknowledges it while a read goes on.
   */
  public boolean mayBeGone(Operation operation) {
    boolean acknowledged = byOperation.containsKey(operation.number());
    return isExcused(operation)
        || !acknowledged && losses.concern(shapes.actorOf(operation))
        || isOfReplaced(operation) && (!acknowledged || wasAnsweredLater(operation));
  }

  /** Returns whether an operation was begun before the table was replaced the last time. */
  private boolean isOfReplaced(Operation operation) {
    return begun.getOrDefault(operation.number(), losses.replacements()) < losses.replacements();
  }

  /**
   * Returns the operations that are lost because an operator accepted that, and for no other
   * reason.
   */
  public List<Promise> acceptedLosses(SortedMap<Integer, List<Operation>> journals) {
    return byOperation.values().stream()
        .filter(promise -> !excused.contains(promise.operation().number()))
        .filter(losses::excuse)
        .filter(
            promise ->
                !journals.get(shapes.actorOf(promise.operation())).contains(promise.operation()))
        .toList();
  }

  public int count() {
    return byOperation.size();
  }

  public long excusedCount() {
    return byOperation.values().stream().filter(this::isExcused).count();
  }

  /** Checks the journals as of a moment, while no clock was wrong. */
  public void checkRestored(SortedMap<Integer, List<Operation>> journals, Instant moment) {
    byOperation.values().stream()
        .filter(promise -> promise.at().isBefore(moment) && !isExcused(promise))
        .forEach(
            promise ->
                Invariant.ACKNOWLEDGED_SURVIVES.require(
                    journals
                        .get(
                            shapes
                                .of(journals.keySet())
                                .actorOf(promise.operation().partitionKey()))
                        .contains(promise.operation()),
                    () -> promise + " is not in what was restored as of " + moment));
  }

  /** Checks the final journals of all actors. */
  public void check(SortedMap<Integer, List<Operation>> journals) {
    byOperation
        .values()
        .forEach(
            promise ->
                Invariant.ACKNOWLEDGED_SURVIVES.require(
                    isExcused(promise)
                        || journals
                            .get(shapes.actorOf(promise.operation()))
                            .contains(promise.operation()),
                    () -> promise + " is not in " + journals));
    journals.values().forEach(this::requireNoneGivenUp);
    journals.values().forEach(this::checkOrder);
    journals.values().forEach(this::checkAnswers);
  }

  /**
   * Checks that each update was answered with what came before it: also one that was sent several
   * times, of which the first was applied.
   */
  private void checkAnswers(List<Operation> journal) {
    Map<Long, Long> last = new LinkedHashMap<>();
    for (Operation operation : journal) {
      Long before = last.put(operation.key(), operation.number());
      Long answer = answers.get(operation.number());
      Invariant.EXACT_ANSWER.require(
          answer == null || answer == (before == null ? 0 : before),
          () ->
              operation
                  + " was answered with "
                  + answer
                  + ", but "
                  + before
                  + " comes before it in "
                  + journal);
    }
  }

  /** Checks that nothing behind the cut of a table that was replaced is there all the same. */
  private void requireNoneGivenUp(List<Operation> journal) {
    journal.forEach(
        operation ->
            Invariant.ATOMIC_UPDATES.require(
                !isGivenUp(operation),
                () -> of(operation) + " was given up, and is in " + journal));
  }

  private void checkOrder(List<Operation> journal) {
    shapes.byWay(journal).values().forEach(this::checkOrderOfOneWay);
  }

  /**
   * Returns whether a position is exact. If one of two actors had applied an update before their
   * merge, the rest of the update has the position, even if the merged actor is split later; if
   * both had, it has the place in the log of either. A table that was made of another answers for
   * it with positions that are not of its own log.
   */
  private boolean isExact(Promise promise) {
    if (wasAnsweredLater(promise.operation())) {
      return false;
    }
    ActorId actor = new ActorId(promise.table(), promise.actor());
    return !shapes.wasMerged(promise.actor())
        || promise.position().epoch() >= truth.firstEpoch(actor)
            && byPlace.get(new Told(promise.client(), promise.at(), promise.position())).stream()
                    .map(shapes::wayOf)
                    .distinct()
                    .count()
                == 1;
  }

  private void checkOrderOfOneWay(List<Operation> journal) {
    Position before = Position.START;
    long beforeTable = 0;
    for (Operation operation : journal) {
      Promise promise = byOperation.get(operation.number());
      if (promise != null && !isExcused(promise) && isExact(promise)) {
        Position previous = before;
        long previousTable = beforeTable;
        Invariant.SAME_ORDER_ON_COPIES.require(
            previousTable < promise.table()
                || previousTable == promise.table() && previous.compareTo(promise.position()) <= 0,
            () -> promise + " stands after " + previous + " in " + journal);
        before = promise.position();
        beforeTable = promise.table();
      }
    }
  }
}
