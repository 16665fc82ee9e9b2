package io.uniserve.runtime.client.cluster;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.ClusterAdmin;
import io.uniserve.runtime.client.ControllerAdmin;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ControlChanges;
import io.uniserve.runtime.client.tables.PlacementCalls;
import io.uniserve.runtime.client.tables.RingCalls;
import io.uniserve.runtime.client.tables.SplitCall;
import io.uniserve.runtime.wire.ControlMessage.CancelMove;
import io.uniserve.runtime.wire.ControlMessage.ChangeRing;
import io.uniserve.runtime.wire.ControlMessage.CreateStream;
import io.uniserve.runtime.wire.ControlMessage.Drain;
import io.uniserve.runtime.wire.ControlMessage.DropStream;
import io.uniserve.runtime.wire.ControlMessage.DropUpdate;
import io.uniserve.runtime.wire.ControlMessage.EndStream;
import io.uniserve.runtime.wire.ControlMessage.MergeActor;
import io.uniserve.runtime.wire.ControlMessage.MoveActor;
import io.uniserve.runtime.wire.ControlMessage.PausePlacement;
import io.uniserve.runtime.wire.ControlMessage.PauseStream;
import io.uniserve.runtime.wire.ControlMessage.PinActor;
import io.uniserve.runtime.wire.ControlMessage.PutStream;
import io.uniserve.runtime.wire.ControlMessage.ResetStream;
import io.uniserve.runtime.wire.ControlMessage.SetScaling;
import io.uniserve.runtime.wire.ControlMessage.SplitActor;
import io.uniserve.runtime.wire.OrderedMessage.AskOrder;
import io.uniserve.runtime.wire.OrderedMessage.OrderReport;
import io.uniserve.runtime.wire.PlacementMessage.PlacementDecided;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import java.time.Duration;
import java.util.Optional;

/** Administration that the coordinator carries out. */
record CoordinatorAdmin(ClientContext context, ControlChanges changes) implements ClusterAdmin {
  @Override
  public ClusterState move(String table, int actor, String from, String to, Duration timeout) {
    String what = "the move of actor " + actor + " of table '" + table + "'";
    return changes.make(new MoveActor(table, actor, from, to), timeout, what);
  }

  @Override
  public ClusterState cancelMove(String table, int actor, Duration timeout) {
    String what = "the end of the move of actor " + actor + " of table '" + table + "'";
    return changes.make(new CancelMove(table, actor), timeout, what);
  }

  @Override
  public ClusterState dropUpdate(String table, long number, Duration timeout) {
    String what = "the end of ordered update " + number + " of table '" + table + "'";
    return changes.make(new DropUpdate(table, number), timeout, what);
  }

  @Override
  public OrderReport order(String table, Duration timeout) {
    Deadline deadline = Deadline.after(context.environment().clock(), timeout);
    long id = context.requireTable(table, deadline).id();
    return context.controllers().ask(new AskOrder(id), OrderReport.class, deadline);
  }

  @Override
  public ClusterState drain(String server, boolean draining, Duration timeout) {
    return changes.make(new Drain(server, draining), timeout, "the draining of server " + server);
  }

  @Override
  public PlacementDecided decidePlacement(
      Optional<String> policy, boolean apply, Duration timeout) {
    return new PlacementCalls(context.environment(), context.controllers())
        .decide(policy, apply, Deadline.after(context.environment().clock(), timeout));
  }

  @Override
  public ClusterState pausePlacement(boolean paused, Duration timeout) {
    return changes.make(new PausePlacement(paused), timeout, "the pause of placement");
  }

  @Override
  public ClusterState pin(
      String table, int actor, String server, boolean pinned, Duration timeout) {
    String what = "the pin of actor " + actor + " of table '" + table + "'";
    return changes.make(new PinActor(table, actor, server, pinned), timeout, what);
  }

  @Override
  public ClusterState split(String table, int actor, Optional<PartitionKey> at, Duration timeout) {
    Deadline deadline = Deadline.after(context.environment().clock(), timeout);
    return new SplitCall(context.controllers(), context.subscription())
        .split(new SplitActor(table, actor, at), deadline);
  }

  @Override
  public ClusterState merge(String table, int actor, Optional<Integer> with, Duration timeout) {
    Deadline deadline = Deadline.after(context.environment().clock(), timeout);
    return new SplitCall(context.controllers(), context.subscription())
        .merge(new MergeActor(table, actor, with), deadline);
  }

  @Override
  public ClusterState createStream(StreamDefinition definition, Duration timeout) {
    String what = "stream '" + definition.name() + "'";
    return changes.make(new CreateStream(definition), timeout, what);
  }

  @Override
  public ClusterState pauseStream(String name, boolean paused, Duration timeout) {
    return changes.make(new PauseStream(name, paused), timeout, "stream '" + name + "'");
  }

  @Override
  public ClusterState dropStream(String name, Duration timeout) {
    return changes.make(new DropStream(name), timeout, "the end of stream '" + name + "'");
  }

  @Override
  public ClusterState putStream(StreamDefinition definition, boolean paused, Duration timeout) {
    String what = "stream '" + definition.name() + "'";
    return changes.make(new PutStream(definition, paused), timeout, what);
  }

  @Override
  public ClusterState endStream(String name, Duration timeout) {
    return changes.make(new EndStream(name), timeout, "the end of stream '" + name + "'");
  }

  @Override
  public ClusterState resetStream(String name, Duration timeout) {
    return changes.make(new ResetStream(name), timeout, "the reset of stream '" + name + "'");
  }

  @Override
  public long changeRing(String table, RingChange change, Optional<Long> after, Duration timeout) {
    return new RingCalls(context.controllers(), context.subscription())
        .submit(
            new ChangeRing(table, change, after),
            Deadline.after(context.environment().clock(), timeout));
  }

  @Override
  public ClusterState awaitRingChange(String table, long number, Duration timeout) {
    return new RingCalls(context.controllers(), context.subscription())
        .await(table, number, Deadline.after(context.environment().clock(), timeout));
  }

  @Override
  public ClusterState scale(ScalingSettings settings, Duration timeout) {
    return changes.make(new SetScaling(settings), timeout, "the size of the cluster");
  }

  @Override
  public ControllerAdmin controllers() {
    return new ControllerAdmin(context.environment(), context.controllers());
  }
}
