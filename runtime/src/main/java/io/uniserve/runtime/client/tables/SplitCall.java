package io.uniserve.runtime.client.tables;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.wire.ControlMessage.MergeActor;
import io.uniserve.runtime.wire.ControlMessage.MergeRecorded;
import io.uniserve.runtime.wire.ControlMessage.SplitActor;
import io.uniserve.runtime.wire.ControlMessage.SplitRecorded;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.StateSubscription;

/** A request to split or merge an actor, which waits for the end of that. */
public final class SplitCall {
  private final Controllers controllers;
  private final StateSubscription subscription;

  public SplitCall(Controllers controllers, StateSubscription subscription) {
    this.controllers = controllers;
    this.subscription = subscription;
  }

  public ClusterState split(SplitActor request, Deadline deadline) {
    String what = "the split of actor " + request.actor() + " of table '" + request.table() + "'";
    SplitRecorded changed = controllers.submit(request, SplitRecorded.class, deadline);
    ClusterState ended =
        subscription.await(
            state ->
                state.version() >= changed.version()
                    && !reshaping(state, changed.table(), request.actor()),
            deadline,
            what);
    TableState table = ended.tables().get(changed.table());
    if (table == null || !wasSplit(table, request.actor(), changed.actors())) {
      throw new UniserveException(
          ErrorCode.ABORTED, what + " was given up: the events of the cluster tell the reason");
    }
    return ended;
  }

  private static boolean reshaping(ClusterState state, long table, int actor) {
    return state
        .actor(new ActorId(table, actor))
        .filter(known -> known.reshaping().isPresent())
        .isPresent();
  }

  /** Returns whether one of the cuts made since then is the actor's. */
  private static boolean wasSplit(TableState table, int actor, int actorsBefore) {
    return table.definition().partitioner().history().stream()
        .anyMatch(
            change ->
                change instanceof PartitionChange.Cut cut
                    && cut.actor() == actor
                    && cut.into() >= actorsBefore);
  }

  public ClusterState merge(MergeActor request, Deadline deadline) {
    String what = "the merge of actor " + request.actor() + " of table '" + request.table() + "'";
    MergeRecorded recorded = controllers.submit(request, MergeRecorded.class, deadline);
    ActorId first = recorded.first();
    ClusterState ended =
        subscription.await(
            state ->
                state.version() >= recorded.version()
                    && !reshaping(state, first.table(), first.number()),
            deadline,
            what);
    TableState table = ended.tables().get(first.table());
    if (table == null || !wereMerged(table, first.number(), recorded.second())) {
      throw new UniserveException(
          ErrorCode.ABORTED, what + " was given up: the events of the cluster tell the reason");
    }
    return ended;
  }

  private static boolean wereMerged(TableState table, int first, int second) {
    return table.definition().partitioner().history().stream()
        .anyMatch(
            change ->
                change instanceof PartitionChange.Merge merge
                    && merge.ends(first)
                    && merge.ends(second));
  }
}
