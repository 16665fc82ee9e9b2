package io.uniserve.simulation.scenario.cluster.recording;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.TableDefinition;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.client.Coverage;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.check.Answers;
import io.uniserve.simulation.scenario.cluster.check.Checks;
import io.uniserve.simulation.scenario.cluster.check.Commitments;
import io.uniserve.simulation.scenario.cluster.check.Epochs;
import io.uniserve.simulation.scenario.cluster.check.History;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent;
import io.uniserve.simulation.scenario.cluster.check.KeylessRetries;
import io.uniserve.simulation.scenario.cluster.check.Outdated;
import io.uniserve.simulation.scenario.cluster.check.Promises;
import io.uniserve.simulation.scenario.cluster.check.SeenUpdates;
import io.uniserve.simulation.scenario.cluster.recording.Recording.Moment;
import io.uniserve.simulation.scenario.cluster.work.Shapes;
import io.uniserve.simulation.scenario.cluster.work.Witness;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** The replay of a recording to the checks, as if its clients were simulated. */
final class RecordedChecks {
  /** The identity of the one table of a recording, since receipts name a table. */
  private static final long TABLE_ID = 1;

  private final TableDefinition table;
  private final List<Moment> moments;
  private final ToIntFunction<Operation> actorOf;
  private final Promises promises;
  private final Commitments commitments;
  private final History history;
  private final Answers answers;
  private final Checks checks;
  private final RecordedReplies replies;
  private final SeenUpdates seen;
  private final Epochs epochs = new Epochs();
  private final Map<String, HistoryEvent.Begun> begun = new LinkedHashMap<>();
  private final Map<Long, Witness.Query> queries = new LinkedHashMap<>();
  private final Map<Long, Witness.CutRead> cuts = new LinkedHashMap<>();
  private final SortedMap<Integer, List<Operation>> journals = new TreeMap<>();

  /** The numbers of the operations that are there in the end, which is when they are recorded. */
  private final Set<Long> present = new HashSet<>();

  private final KeylessRetries retries = new KeylessRetries(present::contains);

  RecordedChecks(Recording recording) {
    table = recording.table();
    moments = recording.moments();
    actorOf = operation -> table.partitioner().actorOf(operation.partitionKey());
    Shapes shapes = new Shapes(table::partitioner);
    promises = Promises.unexcused(shapes);
    commitments = new Commitments(actorOf);
    history = new History(promises, operation -> false, shapes);
    replies = new RecordedReplies(moments);
    answers = new Answers(shapes, promises, Outdated.of(table.consistency(), replies));
    seen = new SeenUpdates(promises::isExcused);
    checks =
        new Checks(table.consistency(), promises, history, retries, answers, seen, commitments);
  }

  String judge() {
    learnVersions();
    moments.forEach(this::play);
    requireWhole();
    retries.check();
    promises.check(journals);
    seen.check(journals);
    if (table.consistency() != Consistency.EVENTUAL) {
      history.checkFinally(journals);
    }
    return begun.size()
        + " updates, "
        + promises.count()
        + " operations acknowledged, "
        + answers.count()
        + " queries answered, "
        + answers.partialCount()
        + " in part, "
        + retries.count()
        + " failures of updates without a key retryable, "
        + history.reads()
        + " of one place in the order";
  }

  /**
   * Learns the versions in advance, since an answer may come before anybody hears of the decisions
   * that it shows.
   */
  private void learnVersions() {
    for (Moment moment : moments) {
      if (moment.event() instanceof HistoryEvent.Prepared event) {
        commitments.asked(event.transaction(), event.operations());
      }
    }
    for (Moment moment : moments) {
      if (moment.event() instanceof HistoryEvent.Committed event) {
        commitments.committed(event.actor(), event.transaction(), event.version());
      }
    }
  }

  private void play(Moment moment) {
    switch (moment.event()) {
      case HistoryEvent.Begun event -> {
        begun.put(event.key(), event);
        epochs.begun(event.key());
        checks.begun(event.client(), event.key(), event.operations());
      }
      case HistoryEvent.ToldToRetry event ->
          checks.toldToRetry(event.key(), begun.get(event.key()).operations());
      case HistoryEvent.SentAgain event -> checks.sentAgain(event.key());
      case HistoryEvent.Submitted event -> checks.submitted(event.session(), event.key());
      case HistoryEvent.MayGoShort event -> checks.mayGoShort(event.key());
      case HistoryEvent.Stable event -> checks.stable(event.key(), event.number());
      case HistoryEvent.Cut event ->
          cuts.put(event.read(), checks.readsAtOnePlace(event.session()));
      case HistoryEvent.CutAnswered event -> cuts.remove(event.read()).answered(event.journals());
      case HistoryEvent.Acknowledged event -> {
        HistoryEvent.Begun update = begun.get(event.key());
        epochs.acknowledged(event.key(), event.positions());
        checks.acknowledged(
            update.client(), event.key(), update.operations(), event.level(), receipt(event));
      }
      case HistoryEvent.Asked event ->
          queries.put(event.query(), checks.asked(event.client(), event.everybody()));
      case HistoryEvent.Answered event -> queries.remove(event.query()).answered(event.journals());
      case HistoryEvent.AnsweredInPart event ->
          queries.remove(event.query()).answeredPartially(partial(event));
      case HistoryEvent.Replied event -> replies.replied(moment.atMillis(), event);
      case HistoryEvent.Led event -> epochs.led(event.actor(), event.epoch());
      case HistoryEvent.Held event -> held(event);
      case HistoryEvent.Prepared event -> {} // it is known already
      case HistoryEvent.Committed event -> {}
      case HistoryEvent.Readable event -> {}
    }
  }

  private static UpdateReceipt receipt(HistoryEvent.Acknowledged event) {
    SortedMap<ActorId, Position> positions = new TreeMap<>();
    event.positions().forEach((actor, at) -> positions.put(new ActorId(TABLE_ID, actor), at));
    return new UpdateReceipt(positions, event.version());
  }

  private PartialAnswer<SortedMap<Integer, List<Operation>>> partial(
      HistoryEvent.AnsweredInPart event) {
    List<Coverage.Missing> missing =
        event.missing().stream()
            .map(actor -> new Coverage.Missing(table.name(), actor, "not recorded"))
            .toList();
    return new PartialAnswer<>(event.journals(), new Coverage(event.asked(), missing));
  }

  private void held(HistoryEvent.Held event) {
    List<Operation> other = journals.putIfAbsent(event.actor(), event.journal());
    event.journal().forEach(operation -> present.add(operation.number()));
    Invariant.SAME_ORDER_ON_COPIES.require(
        other == null || other.equals(event.journal()),
        () -> "of actor " + event.actor() + " a copy has " + other + ", and " + event);
  }

  /** Requires that all actors exist, and hold nothing that nobody asked for. */
  private void requireWhole() {
    Invariant.EXACT_ANSWER.require(
        journals.size() == table.actors(),
        () -> "in the end there are copies of " + journals.keySet() + " of " + table.actors());
    Set<Operation> wanted = new HashSet<>();
    begun.values().forEach(update -> wanted.addAll(update.operations()));
    journals.forEach(
        (actor, journal) ->
            journal.forEach(
                operation ->
                    Invariant.EXACT_ANSWER.require(
                        wanted.contains(operation),
                        () -> "actor " + actor + " has " + operation + ", which nobody wrote")));
  }
}
