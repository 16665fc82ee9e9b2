package io.uniserve.node.http.document;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.LoadMessage.ActorLoad;
import io.uniserve.runtime.wire.LoadMessage.Load;
import io.uniserve.runtime.wire.LoadMessage.ServerLoad;
import io.uniserve.runtime.wire.LoadMessage.SetFigures;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The load that the coordinator knows, as JSON. */
public final class LoadDocument {
  private LoadDocument() {}

  public static Map<String, Object> of(ClusterState state, Load load) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("servers", load.servers().stream().map(LoadDocument::server).toList());
    document.put("actors", actors(state, load, Integer.MAX_VALUE));
    List<Object> sets = new ArrayList<>();
    for (SetFigures set : load.sets()) {
      TableState table = state.tables().get(set.table());
      if (table != null) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("table", table.definition().name());
        one.put("actors", set.actors());
        one.put("perSecond", set.perSecond());
        sets.add(one);
      }
    }
    document.put("querySets", sets);
    document.put("querySetsKnown", load.setsKnown());
    document.put("otherQueriesPerSecond", load.othersPerSecond());
    return document;
  }

  /** Returns the busiest actors of tables that the reader may know. */
  static List<Map<String, Object>> actors(ClusterState state, Load load, int max) {
    List<Map<String, Object>> actors = new ArrayList<>();
    for (ActorLoad actor : load.actors()) {
      TableState table = state.tables().get(actor.actor().table());
      if (table != null && actors.size() < max) {
        actors.add(actor(table, actor.actor(), actor));
      }
    }
    return actors;
  }

  private static Map<String, Object> actor(TableState table, ActorId id, ActorLoad load) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("table", table.definition().name());
    document.put("actor", id.number());
    document.put("load", load.load());
    document.put("operatorsPerSecond", load.operatorsPerSecond());
    document.put("copies", load.copies());
    document.put("memoryBytes", load.usage().memoryBytes());
    document.put("diskBytes", load.usage().diskBytes());
    return document;
  }

  private static Map<String, Object> server(ServerLoad server) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", server.server());
    document.put("known", server.known());
    if (server.known()) {
      document.put("utilization", server.figures().utilization());
      document.put("workers", server.figures().workers());
      document.put("memoryBytes", server.figures().usage().memoryBytes());
      document.put("diskBytes", server.figures().usage().diskBytes());
    }
    return document;
  }
}
