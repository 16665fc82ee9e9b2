package io.uniserve.runtime.control.log;

import io.uniserve.api.codec.Form;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.control.log.Decision.Receipt;
import io.uniserve.runtime.control.log.LogOperation.Batch;
import io.uniserve.runtime.wire.cluster.ClusterSnapshot;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.entry.Forms;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The state that the control log amounts to: cluster state, the requests that were done, the order
 * of updates, and how many messages were ordered. It is a function of the log, so it is the same on
 * every controller. For one thread at a time.
 */
public final class ReplicatedState {
  public static final Form FORM = Forms.of("a snapshot of the control log", Stored.class);

  private final Sessions sessions;
  private final Orders orders;
  private ClusterState cluster;
  private long term;
  private long batches;
  private long messages;

  /**
   * The stored form of this state.
   *
   * @param cluster cluster state
   * @param receipts the receipts of the requests that were done
   * @param orders the orders of updates, by table
   * @param term the term whose decisions count
   * @param batches that this term has decided
   * @param messages that were ordered
   */
  @Name("Stored")
  private record Stored(
      ClusterSnapshot cluster,
      List<Receipt> receipts,
      List<TableOrder.Stored> orders,
      long term,
      long batches,
      long messages) {}

  /** Creates the state before the first entry. */
  public ReplicatedState() {
    this(ClusterState.EMPTY, Sessions.of(List.of()), new Orders(), 0, 0, 0);
  }

  private ReplicatedState(
      ClusterState cluster,
      Sessions sessions,
      Orders orders,
      long term,
      long batches,
      long messages) {
    this.cluster = cluster;
    this.sessions = sessions;
    this.orders = orders;
    this.term = term;
    this.batches = batches;
    this.messages = messages;
  }

  public static ReplicatedState decode(byte[] bytes) {
    Stored stored = FORM.decode(ByteBuffer.wrap(bytes), Stored.class);
    return new ReplicatedState(
        ClusterState.of(stored.cluster()),
        Sessions.of(stored.receipts()),
        Orders.of(stored.orders()),
        stored.term(),
        stored.batches(),
        stored.messages());
  }

  public byte[] encode() {
    return FORM.encode(
        new Stored(
            cluster.snapshot(), sessions.receipts(), orders.stored(), term, batches, messages));
  }

  public ReplicatedState copy() {
    return new ReplicatedState(
        cluster,
        Sessions.of(sessions.receipts()),
        Orders.of(orders.stored()),
        term,
        batches,
        messages);
  }

  public ClusterState cluster() {
    return cluster;
  }

  Sessions sessions() {
    return sessions;
  }

  Orders orders() {
    return orders;
  }

  /** Returns how many messages were ordered. */
  public long messages() {
    return messages;
  }

  /** Begins a term: from here on only its decisions count. */
  public void begin(long newTerm) {
    term = newTerm;
    batches = 0;
  }

  /**
   * Returns whether a batch counts: it is of the present term, and follows the batch upon which it
   * was decided.
   */
  public boolean accepts(Batch batch) {
    return batch.header().term() == term && batch.header().number() == batches + 1;
  }

  /** Counts a batch whose decisions are applied one by one. */
  public long countBatch() {
    return ++batches;
  }

  public void apply(Decision decision) {
    apply(decision.records());
    decision.orders().forEach(orders::apply);
    messages += decision.messages().size();
    decision.receipt().ifPresent(sessions::add);
  }

  /**
   * Changes cluster state, and forgets the order of dropped tables. It applies all records, or none
   * if one of them cannot be applied.
   */
  public void apply(List<ControlRecord> records) {
    ClusterState next = cluster;
    for (ControlRecord record : records) {
      next = Replay.apply(next, record);
    }
    cluster = next;
    records.forEach(orders::apply);
  }
}
