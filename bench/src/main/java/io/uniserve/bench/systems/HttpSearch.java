package io.uniserve.bench.systems;

import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.answers.SolrAnswers;
import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.load.HttpConnection;
import io.uniserve.bench.load.HttpRequests;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.tasks.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * A client that sends queries to one collection over Solr's HTTP protocol. Every system that speaks
 * the protocol is queried in the same way. Connections stay open, and the clients take the
 * addresses in turn.
 */
final class HttpSearch implements AutoCloseable {

  private final List<InetSocketAddress> addresses;
  private final String path;
  private final Dialect dialect;
  private final List<HttpConnection> connections = new ArrayList<>();

  /**
   * The differences between systems.
   *
   * @param queryPrefix a prefix of every query
   * @param measured the parameters of measured queries
   */
  record Dialect(String queryPrefix, Map<String, String> measured) {}

  HttpSearch(List<InetSocketAddress> addresses, String collection, Dialect dialect) {
    this.addresses = List.copyOf(addresses);
    this.path = "/solr/" + collection + "/select";
    this.dialect = dialect;
  }

  Answer answer(Workload.Answers kind, String query) {
    return SolrAnswers.parse(connection(0).exchange(request(0, kind, query, Map.of())));
  }

  Latencies run(Workload workload, int clients, Duration time) {
    List<IntConsumer> callers = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      HttpConnection connection = connection(client);
      List<byte[]> requests = requests(client, workload);
      callers.add(index -> connection.exchange(requests.get(index)));
    }
    return ClosedLoop.run(workload.queries().size(), callers, time);
  }

  private List<byte[]> requests(int client, Workload workload) {
    return workload.queries().stream()
        .map(query -> request(client, workload.answers(), query, dialect.measured()))
        .toList();
  }

  private byte[] request(
      int client, Workload.Answers kind, String query, Map<String, String> further) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("q", dialect.queryPrefix() + query);
    parameters.put("df", "body");
    parameters.put("rows", Integer.toString(kind.rows()));
    parameters.put("fl", kind.fields());
    parameters.put("wt", "json");
    parameters.putAll(further);
    return HttpRequests.get(address(client), path, parameters);
  }

  private HttpConnection connection(int client) {
    while (connections.size() <= client) {
      connections.add(HttpConnection.open(address(connections.size())));
    }
    return connections.get(client);
  }

  private InetSocketAddress address(int client) {
    return addresses.get(client % addresses.size());
  }

  @Override
  public void close() {
    try {
      for (HttpConnection connection : connections) {
        connection.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
