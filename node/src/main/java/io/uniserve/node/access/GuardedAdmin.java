package io.uniserve.node.access;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.runtime.client.ClusterAdmin;
import io.uniserve.runtime.client.ControllerAdmin;
import io.uniserve.runtime.wire.OrderedMessage.OrderReport;
import io.uniserve.runtime.wire.PlacementMessage.PlacementDecided;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import java.time.Duration;
import java.util.Optional;

/** Administration that is refused to everyone but administrators. */
record GuardedAdmin(ClusterAdmin admin) implements ClusterAdmin {
  @Override
  public ClusterState move(String table, int actor, String from, String to, Duration timeout) {
    Caller.current().requireAdmin("move actors of table '" + table + "'");
    return admin.move(table, actor, from, to, timeout);
  }

  @Override
  public ClusterState cancelMove(String table, int actor, Duration timeout) {
    Caller.current().requireAdmin("cancel moves of table '" + table + "'");
    return admin.cancelMove(table, actor, timeout);
  }

  @Override
  public OrderReport order(String table, Duration timeout) {
    Caller.current().requireRead(table);
    return admin.order(table, timeout);
  }

  @Override
  public ClusterState dropUpdate(String table, long number, Duration timeout) {
    Caller.current().requireAdmin("drop updates of table '" + table + "'");
    return admin.dropUpdate(table, number, timeout);
  }

  @Override
  public ClusterState drain(String server, boolean draining, Duration timeout) {
    Caller.current().requireAdmin("drain server '" + server + "'");
    return admin.drain(server, draining, timeout);
  }

  @Override
  public PlacementDecided decidePlacement(
      Optional<String> policy, boolean apply, Duration timeout) {
    Caller.current().requireAdmin("place actors");
    return admin.decidePlacement(policy, apply, timeout);
  }

  @Override
  public ClusterState pausePlacement(boolean paused, Duration timeout) {
    Caller.current().requireAdmin("pause placement");
    return admin.pausePlacement(paused, timeout);
  }

  @Override
  public ClusterState pin(
      String table, int actor, String server, boolean pinned, Duration timeout) {
    Caller.current().requireAdmin("pin actors of table '" + table + "'");
    return admin.pin(table, actor, server, pinned, timeout);
  }

  @Override
  public ClusterState split(String table, int actor, Optional<PartitionKey> at, Duration timeout) {
    Caller.current().requireAdmin("split actors of table '" + table + "'");
    return admin.split(table, actor, at, timeout);
  }

  @Override
  public ClusterState merge(String table, int actor, Optional<Integer> with, Duration timeout) {
    Caller.current().requireAdmin("merge actors of table '" + table + "'");
    return admin.merge(table, actor, with, timeout);
  }

  @Override
  public ClusterState createStream(StreamDefinition definition, Duration timeout) {
    Caller.current().requireAdmin("create streams");
    return admin.createStream(definition, timeout);
  }

  @Override
  public ClusterState pauseStream(String name, boolean paused, Duration timeout) {
    Caller.current().requireAdmin("pause or resume streams");
    return admin.pauseStream(name, paused, timeout);
  }

  @Override
  public ClusterState dropStream(String name, Duration timeout) {
    Caller.current().requireAdmin("drop streams");
    return admin.dropStream(name, timeout);
  }

  @Override
  public ClusterState putStream(StreamDefinition definition, boolean paused, Duration timeout) {
    Caller.current().requireAdmin("create streams");
    return admin.putStream(definition, paused, timeout);
  }

  @Override
  public ClusterState endStream(String name, Duration timeout) {
    Caller.current().requireAdmin("end streams");
    return admin.endStream(name, timeout);
  }

  @Override
  public ClusterState resetStream(String name, Duration timeout) {
    Caller.current().requireAdmin("reset streams");
    return admin.resetStream(name, timeout);
  }

  @Override
  public long changeRing(String table, RingChange change, Optional<Long> after, Duration timeout) {
    Caller.current().requireAdmin("change the ring of table '" + table + "'");
    return admin.changeRing(table, change, after, timeout);
  }

  @Override
  public ClusterState awaitRingChange(String table, long number, Duration timeout) {
    Caller.current().requireAdmin("wait for the ring of table '" + table + "'");
    return admin.awaitRingChange(table, number, timeout);
  }

  @Override
  public ClusterState scale(ScalingSettings settings, Duration timeout) {
    Caller.current().requireAdmin("say how the cluster follows its load");
    return admin.scale(settings, timeout);
  }

  @Override
  public ControllerAdmin controllers() {
    Caller.current().requireAdmin("look at or change the controllers");
    return admin.controllers();
  }
}
