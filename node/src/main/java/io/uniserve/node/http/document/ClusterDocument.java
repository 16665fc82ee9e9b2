package io.uniserve.node.http.document;

import io.uniserve.node.http.metrics.CopyFigures;
import io.uniserve.runtime.client.tables.CopyTroubles;
import io.uniserve.runtime.client.tables.CopyTroubles.CopyTrouble;
import io.uniserve.runtime.wire.LoadMessage.Load;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The whole cluster as JSON. */
public final class ClusterDocument {
  private ClusterDocument() {}

  /** The largest number of hot actors that are shown. */
  private static final int HOT_ACTORS_MAX = 10;

  /**
   * @param statuses the statuses of the servers that answered
   * @param load the load, as the coordinator knows it
   */
  public static Map<String, Object> of(ClusterState state, List<ServerStatus> statuses, Load load) {
    Map<String, ServerStatus> byServer = new LinkedHashMap<>();
    statuses.forEach(status -> byServer.put(status.server(), status));
    CopyFigures copies = CopyFigures.of(state, statuses);
    List<Object> servers = new ArrayList<>();
    state
        .servers()
        .forEach(
            (name, server) ->
                servers.add(
                    server(server, byServer.get(name), copies.on(name), utilization(load, name))));
    List<Object> tables = new ArrayList<>();
    state.tables().values().forEach(table -> tables.add(TableDocuments.describe(table)));
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("version", state.version());
    document.put("servers", servers);
    document.put("tables", tables);
    document.put("waiting", waiting(state));
    document.put("troubles", troubles(state, statuses));
    document.put("moves", MoveDocuments.of(state));
    document.put("splits", MoveDocuments.splits(state));
    document.put("merges", MoveDocuments.merges(state));
    document.put("placementPaused", state.placementPaused());
    document.put("hotActors", LoadDocument.actors(state, load, HOT_ACTORS_MAX));
    return document;
  }

  /** Returns the actors that wait for a complete copy, and the servers that have one. */
  private static List<Object> waiting(ClusterState state) {
    List<Object> waiting = new ArrayList<>();
    for (TableState table : state.tables().values()) {
      table
          .living()
          .forEach(
              (number, actor) -> {
                if (state.waits(table.actorId(number))) {
                  Map<String, Object> document = new LinkedHashMap<>();
                  document.put("table", table.definition().name());
                  document.put("actor", number);
                  document.put("for", actor.complete());
                  document.put("onLoss", table.definition().onLoss().toString());
                  waiting.add(document);
                }
              });
    }
    return waiting;
  }

  /** Returns the copies that are not in their assigned state, and the reasons. */
  private static List<Object> troubles(ClusterState state, List<ServerStatus> statuses) {
    List<Object> troubles = new ArrayList<>();
    for (TableState table : state.tables().values()) {
      for (CopyTrouble copy : CopyTroubles.of(table.id(), statuses).all()) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("table", table.definition().name());
        document.put("actor", copy.actor());
        document.put("server", copy.server());
        document.put("code", copy.trouble().code().name());
        document.put("message", copy.trouble().message());
        document.put("times", copy.trouble().times());
        troubles.add(document);
      }
    }
    return troubles;
  }

  private static OptionalDouble utilization(Load load, String server) {
    return load.servers().stream()
        .filter(known -> known.known() && known.server().equals(server))
        .mapToDouble(known -> known.figures().utilization())
        .findFirst();
  }

  private static Map<String, Object> server(
      ServerState server, ServerStatus status, CopyFigures.Sum copies, OptionalDouble utilization) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", server.name());
    document.put("address", server.address().value());
    document.put("alive", server.alive());
    document.put("draining", server.draining());
    document.put("leaving", server.leaving());
    document.put("incarnation", server.incarnation());
    document.put("answers", status != null);
    utilization.ifPresent(value -> document.put("utilization", value));
    if (status != null) {
      load(status, copies, document);
    }
    return document;
  }

  private static void load(
      ServerStatus status, CopyFigures.Sum copies, Map<String, Object> document) {
    document.put("uptimeSeconds", status.uptime().toSeconds());
    document.put("copies", copies.copies());
    document.put("primaries", copies.primaries());
    document.put("operatorsRunning", status.operatorsRunning());
    document.put("operatorsWaiting", status.operatorsWaiting());
    document.put("scanSlots", status.scans().slots());
    document.put("scanSlotsGranted", status.scans().granted());
    document.put("scansWaiting", status.scans().waiting());
    document.put("operators", copies.operators());
    document.put("updates", copies.updates());
    document.put("cost", copies.cost());
    document.put("memoryBytes", copies.memoryBytes());
    document.put("diskBytes", copies.diskBytes());
    document.put("replicationLag", copies.replicationLag());
    document.put("backupLag", copies.backupLag());
    document.put("backupLagSeconds", copies.backupLagSeconds());
    status.storeRefusal().ifPresent(why -> document.put("storeRefusal", why));
  }
}
