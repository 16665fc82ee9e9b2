package io.uniserve.runtime.client.group;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Threads;
import io.uniserve.runtime.wire.TransactionMessage.Member;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.List;
import java.util.SortedMap;

/** One serializable update, which may be carried out together with others that wait. */
public final class GroupMember {
  /** News for the update's thread. */
  public sealed interface Told {
    /** It is to take the turn of the update's actors. */
    record Lead() implements Told {}

    /** It is to wait again, since the group was made anew. */
    record Wait() implements Told {}

    /**
     * The update is committed.
     *
     * @param reached the reports of its actors
     */
    record Committed(Reached reached) implements Told {}
  }

  /**
   * News for the thread, and a place for the next.
   *
   * @param told the news
   * @param then the place of the next news
   */
  record News(Told told, Promise<News> then) {}

  private final TableState table;
  private final UpdateKey key;
  private final Payload function;
  private final SortedMap<ActorId, Payload> records;
  private final long sizeBytes;
  private final Deadline deadline;
  private final Runnable deciding;
  private final Threads threads;
  private volatile Promise<News> next;

  /** The news that the update's thread waits for. */
  private Promise<News> unheard;

  private volatile boolean alone;
  private volatile boolean left;

  /**
   * @param table the table as it was when the update was planned
   * @param key the idempotency key
   * @param records the records of each touched actor, at least one
   * @param deciding called before a decision is asked for; nothing happens without one
   */
  public GroupMember(
      TableState table,
      UpdateKey key,
      Payload function,
      SortedMap<ActorId, Payload> records,
      Deadline deadline,
      Runnable deciding,
      Engines engines,
      Threads threads) {
    this.table = table;
    this.key = key;
    this.function = function;
    this.records = records;
    this.deadline = deadline;
    this.deciding = deciding;
    this.threads = threads;
    this.sizeBytes =
        records.values().stream()
            .mapToLong(
                some -> some.bytes(engines).remaining() + function.bytes(engines).remaining())
            .sum();
    this.next = new Promise<>(threads);
    this.unheard = next;
  }

  /** Tells the update's thread something, after which it waits for the next thing. */
  public void tell(Told told) {
    Promise<News> now = next;
    next = new Promise<>(threads);
    now.complete(new News(told, next));
  }

  /** Tells the update's thread that the update has failed. */
  void fail(UniserveException failure) {
    next.fail(failure);
  }

  /** Returns what the thread, which alone asks, has not heard yet. */
  Promise<News> unheard() {
    return unheard;
  }

  /** Notes that the thread has heard something. */
  Told heard(News news) {
    unheard = news.then();
    return news.told();
  }

  public TableState table() {
    return table;
  }

  public UpdateKey key() {
    return key;
  }

  public List<ActorId> actors() {
    return List.copyOf(records.keySet());
  }

  public boolean touches(ActorId actor) {
    return records.containsKey(actor);
  }

  /** Returns the part of an actor that the update touches. */
  public Member part(ActorId actor) {
    return new Member(key, function, records.get(actor));
  }

  long sizeBytes() {
    return sizeBytes;
  }

  public Deadline deadline() {
    return deadline;
  }

  /** Notes that a decision is asked for. */
  public void decide() {
    deciding.run();
  }

  /** Notes that the update's thread does not wait any more. */
  void leave() {
    left = true;
  }

  boolean hasLeft() {
    return left;
  }

  /** Keeps the update out of groups, so that a refusal is its own. */
  public void goAlone() {
    alone = true;
  }

  /**
   * Returns whether another update may be in the same group, whose turn is of this one's actors.
   */
  boolean takes(GroupMember other) {
    return !alone
        && !other.alone
        && table.id() == other.table.id()
        && table.definition().partitioner().equals(other.table.definition().partitioner())
        && records.keySet().containsAll(other.records.keySet());
  }
}
