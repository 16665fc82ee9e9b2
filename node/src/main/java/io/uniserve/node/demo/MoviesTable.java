package io.uniserve.node.demo;

import io.uniserve.api.Durability;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.Retries;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/** The table of films. */
final class MoviesTable {
  static final String NAME = "movies";
  static final int ACTORS = 16;
  static final int REPLICAS = 2;

  private static final int BATCH = 1000;
  private static final int BATCHES_IN_FLIGHT = 4;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final UniserveClient client;
  private final TableDefinition definition;
  private final Planner planner;

  private MoviesTable(UniserveClient client, TableDefinition definition) {
    this.client = client;
    this.definition = definition;
    planner = client.planner(definition);
  }

  /** Creates the table, after dropping one of an earlier run. */
  static MoviesTable create(UniserveClient client) {
    TableDefinition definition =
        new TableDefinition(
            NAME,
            "search",
            new Partitioner.Hash(ACTORS),
            REPLICAS,
            Durability.ASYNCHRONOUS,
            Settings.object("the schema", Json.parse(schema())));
    if (client.state().table(NAME).isPresent()) {
      client.dropTable(NAME, TIMEOUT);
    }
    client.createTable(definition, TIMEOUT);
    return new MoviesTable(client, definition);
  }

  /** Returns the schema, as JSON. */
  static String schema() {
    try (InputStream in = MoviesTable.class.getResourceAsStream("/demo/movies-schema.json")) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stores every film on all copies, several batches at a time, and makes them visible. */
  void load(LongConsumer stored) {
    BatchStore store = new BatchStore(client, definition, BATCHES_IN_FLIGHT, Retries.DEFAULT);
    try (Movies movies = Movies.open()) {
      store.store(() -> movies.next(BATCH), stored);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    planner
        .publish(definition)
        .ifPresent(visible -> client.updateAll(NAME, visible, UpdateOptions.ALL_COPIES));
  }

  /** Runs a query; returns its answer, which is a document. */
  Map<?, ?> query(String text, Map<String, String> options) {
    return (Map<?, ?>) client.query(planner.plan(definition, text, options), QueryOptions.DEFAULT);
  }

  /** Runs a query for the page after a cursor. */
  Map<?, ?> nextPage(TourStop stop, Object cursor) {
    Map<String, String> options = new LinkedHashMap<>(stop.options());
    options.put("cursor", (String) cursor);
    return query(stop.query(), options);
  }
}
