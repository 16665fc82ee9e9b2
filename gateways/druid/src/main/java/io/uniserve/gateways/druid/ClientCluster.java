package io.uniserve.gateways.druid;

import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.engines.olap.query.Answers;
import io.uniserve.engines.olap.query.AskDruid;
import io.uniserve.engines.olap.query.Cluster;
import io.uniserve.engines.olap.query.QueryRows;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The actors of a cluster, asked by its client. It refuses what the sender may not read. */
final class ClientCluster implements Cluster {
  private final UniserveClient client;

  ClientCluster(UniserveClient client) {
    this.client = client;
  }

  @Override
  public List<List<QueryRows>> ask(String table, Keys keys, AskDruid question, Duration timeout) {
    Optional<TableState> state = client.table(table);
    if (state.isEmpty()) {
      throw new UniserveException(ErrorCode.NOT_FOUND, "there is no table '" + table + "'");
    }
    if (!state.get().definition().engine().equals(OlapEngine.NAME)) {
      throw UniserveException.invalid("table '" + table + "' is not of engine 'olap'");
    }
    return client.query(
        new Plan.Query<>(Source.table(table, keys), question, Answers::new),
        new QueryOptions(timeout));
  }
}
