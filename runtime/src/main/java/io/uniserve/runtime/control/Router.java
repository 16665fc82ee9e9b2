package io.uniserve.runtime.control;

import io.uniserve.api.UniserveException;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.kernel.Transport.Registration;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.TransactionMessage;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The router role of one process: keeps the control log, runs the coordinator, pushes cluster
 * state.
 */
public final class Router implements AutoCloseable {
  private final ControlLog log;
  private final Decisions decisions;
  private final Publication publication;
  private final Coordinator coordinator;
  private final Registration registration;

  /**
   * Recovers the control log from the process's storage and begins to listen.
   *
   * @param engines check the definitions of new tables
   * @param placement chooses the servers of copies
   * @throws UniserveException with {@link io.uniserve.api.ErrorCode#CORRUPT} if the control log is
   *     damaged
   */
  public Router(
      Environment environment,
      Address self,
      Engines engines,
      PlacementPolicy placement,
      RouterSettings settings)
      throws IOException {
    List<ControlRecord> recovered = new ArrayList<>();
    log =
        ControlLog.open(
            environment.storage(), environment.storage().root().resolve("control.log"), recovered);
    publication = new Publication(environment, settings.keepAlive());
    decisions = new Decisions(environment, log, publication, recovered);
    coordinator = new Coordinator(environment, decisions, engines, placement, settings);
    decisions.start();
    coordinator.start();
    registration = environment.transport().listen(self, this::handle);
  }

  /** Cluster state as of the last decision. */
  public ClusterState state() {
    return decisions.state();
  }

  private void handle(Message request, Incoming call) {
    switch (request) {
      case ControlMessage.Subscribe subscribe ->
          publication.subscribe(subscribe.afterVersion(), call);
      case ControlMessage.Join join -> decisions.submit(call, () -> coordinator.join(join, call));
      case ControlMessage.Heartbeat beat ->
          decisions.submit(call, () -> coordinator.heartbeat(beat, call));
      case ControlMessage.Suspect suspect ->
          decisions.submit(call, () -> coordinator.suspect(suspect, call));
      case ControlMessage.CopyReport report ->
          decisions.submit(call, () -> coordinator.report(report, call));
      case ControlMessage.CreateTable create ->
          decisions.submit(call, () -> coordinator.create(create, call));
      case ControlMessage.DropTable drop ->
          decisions.submit(call, () -> coordinator.drop(drop, call));
      case ControlMessage.MoveActor move ->
          decisions.submit(call, () -> coordinator.move(move, call));
      case ControlMessage.CancelMove cancel ->
          decisions.submit(call, () -> coordinator.cancelMove(cancel, call));
      case ControlMessage.Drain drain ->
          decisions.submit(call, () -> coordinator.drain(drain, call));
      case ControlMessage.Leave leave ->
          decisions.submit(call, () -> coordinator.leave(leave, call));
      case ControlMessage.Left left -> decisions.submit(call, () -> coordinator.left(left, call));
      case TransactionMessage transaction ->
          decisions.submit(call, () -> coordinator.transactions().handle(transaction, call));
      default ->
          throw UniserveException.invalid(
              "a router is not asked for " + request.getClass().getSimpleName());
    }
  }

  @Override
  public void close() {
    registration.close();
    coordinator.stop();
    decisions.stop();
    try {
      log.close();
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }
}
