package io.uniserve.runtime.control.raft;

import io.microraft.statemachine.StateMachine;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** Hands what is committed to the application, and asks for snapshots by bytes. */
final class Machine implements StateMachine {
  /** Changes nothing. */
  static final Object CONFIRMATION = new Object();

  private final Application application;
  private final RaftSettings settings;
  private final Runnable askForSnapshot;
  private final IntSupplier term;
  private final Consumer<Throwable> failed;
  private long bytesSinceSnapshot;

  Machine(
      Application application,
      RaftSettings settings,
      Runnable askForSnapshot,
      IntSupplier term,
      Consumer<Throwable> failed) {
    this.application = application;
    this.settings = settings;
    this.askForSnapshot = askForSnapshot;
    this.term = term;
    this.failed = failed;
  }

  @Override
  public Object runOperation(long index, Object operation) {
    if (operation != CONFIRMATION) {
      apply(index, (byte[]) operation);
    }
    return null;
  }

  /** MicroRaft would go on after a failure, with a state that differs from that of the others. */
  private void apply(long index, byte[] operation) {
    try {
      application.committed(index, operation);
    } catch (RuntimeException | Error e) {
      failed.accept(e);
      throw e;
    }
    bytesSinceSnapshot += operation.length;
    if (bytesSinceSnapshot > settings.snapshotBytes()) {
      bytesSinceSnapshot = 0;
      askForSnapshot.run();
    }
  }

  @Override
  public void takeSnapshot(long index, Consumer<Object> chunks) {
    bytesSinceSnapshot = 0;
    application.snapshot().forEach(chunks);
  }

  @Override
  @SuppressWarnings("unchecked")
  public void installSnapshot(long index, List<Object> chunks) {
    try {
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
