package io.uniserve.runtime.control.transactions;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.DeferredReply;
import io.uniserve.runtime.wire.OrderedMessage.Applied;
import io.uniserve.runtime.wire.OrderedMessage.AppliedUpdate;
import io.uniserve.runtime.wire.OrderedMessage.Outcome;
import io.uniserve.runtime.wire.OrderedMessage.SequenceRange;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.Hash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * The outcomes of one session's updates that its client may not have heard of, and the client's
 * question for them. An outcome is kept after its update is settled until the client, by its next
 * question, shows that it has it. Whatever is forgotten here, the actors still know. Only for the
 * deciding thread.
 */
final class SessionOutcomes implements OrderEntry.Waiter {
  /** The number of outcomes in one answer, and their size unless a single one is larger. */
  private static final int ANSWER_OUTCOMES_MAX = 5_000;

  private static final long ANSWER_BYTES_MAX = 4 << 20;

  /** The memory of an outcome without answers. */
  private static final long OUTCOME_BYTES = 200;

  /** The events that concern more than one session. */
  interface Listener {
    /** Notes that there is an answer to the session's question. */
    void answerable(SessionOutcomes outcomes);

    /** Notes that this keeps more bytes, or fewer. */
    void keeps(long moreBytes);
  }

  /** A client that waits for outcomes. */
  private record Question(Incoming call, long sinceNanos) {}

  private final long table;
  private final Hash session;
  private final Listener listener;

  /** The updates without an outcome, by their sequence numbers. */
  private final Map<Long, OrderEntry> open = new LinkedHashMap<>();

  /** The outcomes that are kept, by their sequence numbers. */
  private final TreeMap<Long, AppliedUpdate> kept = new TreeMap<>();

  /** The sequence numbers of those that were sent in the last answer. */
  private final Set<Long> told = new TreeSet<>();

  /** The sequence numbers that were asked for and whose outcomes only actors know. */
  private final List<Long> settled = new ArrayList<>();

  private Optional<Question> question = Optional.empty();
  private long usedNanos;
  private long keptBytes;

  SessionOutcomes(long table, Hash session, Listener listener, long nanos) {
    this.table = table;
    this.session = session;
    this.listener = listener;
    this.usedNanos = nanos;
  }

  long table() {
    return table;
  }

  /** Returns since when the client has submitted nothing and asked for nothing. */
  long usedNanos() {
    return usedNanos;
  }

  /** Returns since when a question waits, if there is one. */
  Optional<Long> askedNanos() {
    return question.map(Question::sinceNanos);
  }

  /** Keeps the outcome of an update of the session, now or later. */
  void await(OrderEntry entry, long nanos) {
    usedNanos = nanos;
    open.put(sequence(entry), entry);
    entry.await(this);
  }

  private long sequence(OrderEntry entry) {
    return entry.update().update().key().name().low() - session.low();
  }

  @Override
  public void happened(OrderEntry entry) {
    long sequence = sequence(entry);
    if (open.remove(sequence) == null) {
      return;
    }
    AppliedUpdate update = new AppliedUpdate(sequence, entry.answer());
    kept.put(sequence, update);
    keepMore(sizeBytes(update));
    answerIfAsked();
  }

  private void answerIfAsked() {
    if (question.isPresent() && (!kept.isEmpty() || !settled.isEmpty())) {
      listener.answerable(this);
    }
  }

  private void keepMore(long bytes) {
    keptBytes += bytes;
    listener.keeps(bytes);
  }

  private static long sizeBytes(AppliedUpdate update) {
    long bytes = OUTCOME_BYTES;
    for (Outcome outcome : update.happened().outcomes()) {
      for (GivenAnswer answer : outcome.answers()) {
        bytes += answer.value().length + (long) Long.BYTES * answer.keys().size();
      }
    }
    return bytes;
  }

  @Override
  public void gone(UniserveException why) {
    forget();
    question.ifPresent(asked -> asked.call().fail(why));
    question = Optional.empty();
  }

  /**
   * Takes a question. A former one, if there is any, is answered: nobody waits for it any more.
   *
   * @param awaited the sequence numbers of all updates that the client knows to have a place and
   *     has no outcome of
   * @param entries finds an update that is not settled by its sequence number
   */
  void ask(
      List<SequenceRange> awaited,
      LongFunction<Optional<OrderEntry>> entries,
      Incoming call,
      long nanos) {
    answer();
    usedNanos = nanos;
    for (SequenceRange range : awaited) {
      for (long sequence = range.first(); sequence <= range.last(); sequence++) {
        told.remove(sequence);
        if (!open.containsKey(sequence) && !kept.containsKey(sequence)) {
          Optional<OrderEntry> entry = entries.apply(sequence);
          // a former coordinator has placed it
          entry.ifPresent(found -> await(found, nanos));
          if (entry.isEmpty()) {
            settled.add(sequence);
          }
        }
      }
    }
    for (long sequence : told) {
      keepMore(-sizeBytes(kept.remove(sequence)));
    }
    told.clear();
    question = Optional.of(new Question(call, nanos));
    answerIfAsked();
  }

  /** Answers what is known. Actors have it, so this controller may answer though deposed. */
  void answer() {
    if (question.isEmpty()) {
      return;
    }
    List<AppliedUpdate> updates = new ArrayList<>();
    long bytes = 0;
    for (AppliedUpdate update : kept.values()) {
      bytes += sizeBytes(update);
      boolean full = updates.size() >= ANSWER_OUTCOMES_MAX || bytes > ANSWER_BYTES_MAX;
      if (full && !updates.isEmpty()) {
        break;
      }
      updates.add(update);
      told.add(update.sequence());
    }
    Applied answer = new Applied(updates, List.copyOf(settled));
    settled.clear();
    Incoming call = question.get().call();
    question = Optional.empty();
    DeferredReply.tell(call, answer);
  }

  /** Forgets a question that nobody asks any more. */
  void cancel(Incoming call) {
    if (question.filter(asked -> asked.call() == call).isPresent()) {
      question = Optional.empty();
      DeferredReply.cancelled(call);
    }
  }

  /** Forgets everything but the question. */
  void forget() {
    open.values().forEach(entry -> entry.forget(this));
    open.clear();
    kept.clear();
    told.clear();
    keepMore(-keptBytes);
  }
}
