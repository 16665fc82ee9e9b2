package io.uniserve.bench.olap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.load.HttpConnection;
import io.uniserve.bench.load.HttpRequests;
import io.uniserve.bench.measure.Latencies;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * The HTTP API of Druid, as it is asked of either system.
 *
 * @param queries the address that queries go to
 * @param tasks the address that tasks go to
 */
record DruidApi(InetSocketAddress queries, InetSocketAddress tasks) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final String COUNT =
      "{\"queryType\":\"timeseries\",\"dataSource\":\"lineitem\",\"granularity\":\"all\",\"intervals\":[\""
          + OlapQuery.ALWAYS
          + "\"],\"aggregations\":[{\"type\":\"count\",\"name\":\"n\"}],"
          + "\"context\":{\"useCache\":false,\"populateCache\":false}}";

  private byte[] request(String query) {
    return HttpRequests.postJson(
        queries, "/druid/v2", Map.of(), query.getBytes(StandardCharsets.UTF_8));
  }

  private static JsonNode exchanged(InetSocketAddress address, byte[] request) {
    try (HttpConnection connection = HttpConnection.open(address)) {
      return JSON.readTree(connection.exchange(request));
    } catch (IOException e) {
      throw new BenchException(address + " gives no JSON: " + e.getMessage(), e);
    }
  }

  JsonNode post(InetSocketAddress address, String path, String body) {
    return exchanged(
        address,
        HttpRequests.postJson(address, path, Map.of(), body.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the answer to a query, as rows of texts. */
  List<List<String>> answer(OlapQuery query, String interval) {
    return rows(query, exchanged(queries, request(query.json(interval))));
  }

  /** Returns the rows of a native answer. */
  static List<List<String>> rows(OlapQuery query, JsonNode results) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode result : results) {
      JsonNode values = result.has("event") ? result.get("event") : result.get("result");
      rows.add(query.fields().stream().map(field -> values.path(field).asText()).toList());
    }
    return rows;
  }

  /** Runs queries over and over, each client one after another. */
  Latencies run(List<String> texts, int clients, Duration time) {
    List<byte[]> requests = texts.stream().map(this::request).toList();
    List<HttpConnection> connections = new ArrayList<>();
    try {
      List<IntConsumer> callers = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        HttpConnection connection = HttpConnection.open(queries);
        connections.add(connection);
        callers.add(call -> connection.exchange(requests.get(call)));
      }
      return ClosedLoop.run(requests.size(), callers, time);
    } finally {
      connections.forEach(DruidApi::close);
    }
  }

  private static void close(HttpConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      throw new BenchException("A connection cannot be closed: " + e.getMessage(), e);
    }
  }

  /** Returns the number of rows that queries see now; 0 while there is no datasource. */
  long count() {
    JsonNode results = exchanged(queries, request(COUNT));
    return results.path(0).path("result").path("n").asLong();
  }

  /**
   * Sends a task, and waits until queries see its rows.
   *
   * @param rows the rows that there are then
   * @return the time until then, in nanoseconds
   */
  long ingest(String task, long rows) {
    long began = System.nanoTime();
    String id = post(tasks, "/druid/indexer/v1/task", task).path("task").asText();
    while (true) {
      String status =
          exchanged(
                  tasks,
                  HttpRequests.get(tasks, "/druid/indexer/v1/task/" + id + "/status", Map.of()))
              .path("status")
              .path("status")
              .asText();
      if (status.equals("FAILED")) {
        throw new BenchException("Task " + id + " has failed");
      }
      if (status.equals("SUCCESS") && count() >= rows) {
        return System.nanoTime() - began;
      }
      if (System.nanoTime() - began > PATIENCE.toNanos()) {
        throw new BenchException("Task " + id + " takes too long: " + status);
      }
      pause();
    }
  }

  static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted", e);
    }
  }
}
