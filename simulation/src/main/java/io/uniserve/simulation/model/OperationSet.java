package io.uniserve.simulation.model;

import io.uniserve.api.Dataset;
import io.uniserve.api.Usage;
import io.uniserve.kernel.Invariant;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The operations of a query in progress, and how many each actor said that it has. Both are handed
 * on from set to set, so that lost or repeated operations show at the end.
 */
public final class OperationSet implements Dataset {
  private final List<Operation> operations = new ArrayList<>();
  private final SortedMap<Integer, Integer> counts = new TreeMap<>();
  private boolean closed;

  /** Returns the contents of a dataset: an actor's journal, or a set. */
  static OperationSet of(Dataset dataset) {
    if (dataset instanceof OperationSet set) {
      set.requireOpen();
      return set;
    }
    ModelActor actor = (ModelActor) dataset;
    OperationSet set = new OperationSet();
    set.operations.addAll(actor.visible());
    set.counts.put(actor.context().actor(), set.operations.size());
    return set;
  }

  /** Returns a set of its own with the same contents. */
  OperationSet copy() {
    OperationSet copy = new OperationSet();
    copy.operations.addAll(operations);
    copy.counts.putAll(counts);
    return copy;
  }

  List<Operation> operations() {
    requireOpen();
    return operations;
  }

  SortedMap<Integer, Integer> counts() {
    requireOpen();
    return counts;
  }

  void add(Operation operation) {
    operations.add(operation);
  }

  /** Notes how many operations an actor says that it has; it says so once. */
  void count(int actor, int count) {
    Integer before = counts.put(actor, count);
    Invariant.EXACT_ANSWER.require(
        before == null, () -> "actor " + actor + " was counted with " + before + " and " + count);
  }

  static ByteBuffer chunkOf(Operation operation) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(operation.key())
        .putLong(operation.number())
        .flip();
  }

  static ByteBuffer chunkOf(int actor, int count) {
    return ByteBuffer.allocate(2 * Integer.BYTES).putInt(actor).putInt(count).flip();
  }

  /** Takes a chunk that one of the above methods made. */
  void take(ByteBuffer chunk) {
    if (chunk.remaining() == 2 * Long.BYTES) {
      add(new Operation(chunk.getLong(), chunk.getLong()));
    } else {
      count(chunk.getInt(), chunk.getInt());
    }
  }

  @Override
  public Usage usage() {
    return new Usage(operations.size() * 16L + counts.size() * 8L, 0);
  }

  @Override
  public void close() {
    requireOpen();
    closed = true;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("a query's data is used after it was closed");
    }
  }
}
