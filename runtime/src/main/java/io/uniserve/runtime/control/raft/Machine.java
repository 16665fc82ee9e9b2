package io.uniserve.runtime.control.raft;

import io.microraft.statemachine.StateMachine;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** The adapter that hands committed entries to the application, and asks for snapshots by bytes. */
final class Machine implements StateMachine {
  /** An operation that changes nothing. */
  static final Object CONFIRMATION = new Object();

  private final Application application;
  private final RaftSettings settings;
  private final Consumer<Runnable> later;
  private final Runnable makeSnapshot;
  private final IntSupplier term;
  private final Consumer<Throwable> failed;
  private long bytesSinceSnapshot;
  private long applied;
  private long lastSnapshot;
  private boolean due;

  /**
   * @param later runs a task on the member's thread once it has applied everything
   * @param makeSnapshot makes a snapshot at once
   * @param term returns the latest term that the member knows
   * @param failed called when the state cannot be relied upon
   */
  Machine(
      Application application,
      RaftSettings settings,
      Consumer<Runnable> later,
      Runnable makeSnapshot,
      IntSupplier term,
      Consumer<Throwable> failed) {
    this.application = application;
    this.settings = settings;
    this.later = later;
    this.makeSnapshot = makeSnapshot;
    this.term = term;
    this.failed = failed;
  }

  /** Returns the index of the last entry of the newest snapshot; 0 before the first. */
  long snapshotIndex() {
    return lastSnapshot;
  }

  @Override
  public Object runOperation(long index, Object operation) {
    if (operation != CONFIRMATION) {
      apply(index, (byte[]) operation);
    }
    return null;
  }

  /**
   * Applies an operation. A failure stops the member: MicroRaft would continue with a state that
   * differs from that of the others.
   */
  private void apply(long index, byte[] operation) {
    try {
      application.committed(index, operation);
    } catch (RuntimeException | Error e) {
      failed.accept(e);
      throw e;
    }
    applied = index;
    bytesSinceSnapshot += operation.length;
    if (bytesSinceSnapshot > settings.snapshotBytes() && !due) {
      due = true;
      later.accept(this::snapshotIfDue);
    }
  }

  private void snapshotIfDue() {
    due = false;
    if (bytesSinceSnapshot > settings.snapshotBytes()
        && settings.maySnapshot(applied, lastSnapshot)) {
      makeSnapshot.run();
    }
  }

  @Override
  public void takeSnapshot(long index, Consumer<Object> chunks) {
    bytesSinceSnapshot = 0;
    lastSnapshot = index;
    application.snapshot().forEach(chunks);
  }

  @Override
  @SuppressWarnings("unchecked")
  public void installSnapshot(long index, List<Object> chunks) {
    try {
      lastSnapshot = index;
      applied = index;
      application.restore((List<byte[]>) (List<?>) chunks);
    } catch (RuntimeException | Error e) {
      failed.accept(e);
      throw e;
    }
  }

  @Override
  public Object getNewTermOperation() {
    return application.newTerm(term.getAsInt());
  }
}
