package io.uniserve.gateways.solr;

import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.search.Refresh;
import io.uniserve.engines.search.SearchPlanner;
import io.uniserve.engines.search.SortedDocument;
import io.uniserve.runtime.client.Coverage;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.SortedScan;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.surfaces.Turns;
import io.uniserve.textindex.request.SearchResult;
import io.uniserve.textindex.schema.SearchSchema;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.solr.common.SolrException;
import org.apache.solr.common.params.MapSolrParams;
import org.apache.solr.common.params.SolrParams;
import org.apache.solr.common.util.NamedList;

/** The handlers of requests about a table. */
final class Handlers {
  /**
   * The bounds of update requests. Each may hold many documents in memory, and its body while it
   * waits.
   */
  private static final Turns.Bounds UPDATES =
      new Turns.Bounds(8, 1_000, 256L << 20, UpdateOptions.DEFAULT.timeout());

  private static final Pattern OF_CSV = Pattern.compile("(f\\..+\\.)?(separator|split)");
  private static final Pattern OF_JSON = Pattern.compile("json\\.command");
  private static final SolrParams PING = new MapSolrParams(Map.of("q", "*:*", "rows", "0"));

  /** The exports at a time, each of which has pages of all actors in memory. */
  private static final int EXPORTS_MAX = 16;

  private final UniserveClient client;
  private final Semaphore exports = new Semaphore(EXPORTS_MAX);
  private final Turns updates = new Turns("update requests", UPDATES);

  Handlers(UniserveClient client) {
    this.client = client;
  }

  /** Checks that the caller may use a handler on a table. */
  void admit(String table, String handler) {
    if (!table.isEmpty()) {
      table(table);
      if (handler.startsWith("update")) {
        client.updates().requireWrite(table);
      } else {
        client.queries().requireRead(table);
      }
    }
  }

  /** Adds the results of a request to its answer. */
  void answer(SolrRequest request, NamedList<Object> answer) throws IOException {
    if (request.body().length > 0 && !request.handler().startsWith("update")) {
      throw UniserveException.invalid("a search with a body of type " + request.contentType());
    }
    SolrParams parameters = request.parameters();
    switch (request.handler()) {
      case "select" -> search(table(request.table()), parameters, answer);
      case "update", "update/json", "update/json/docs", "update/csv" ->
          update(table(request.table()), request);
      case "admin/ping" -> {
        Supported.PING.check(parameters);
        if (!request.table().isEmpty()) {
          search(table(request.table()), PING, new NamedList<>());
        }
        answer.add("status", "OK");
      }
      default -> throw notFound("table '" + request.table() + "' has no /" + request.handler());
    }
  }

  /** The work with an export that has begun. */
  @FunctionalInterface
  interface Exported {
    /** Does the work, and returns after the last document. */
    void write(SearchSchema schema, SortedScan<SortedDocument> documents) throws IOException;
  }

  /**
   * Begins an export.
   *
   * @throws UniserveException if it is refused; then the work has not begun
   */
  void export(SolrRequest request, Exported work) throws IOException {
    if (request.body().length > 0) {
      throw UniserveException.invalid("an export with a body of type " + request.contentType());
    }
    TableDefinition table = table(request.table());
    Export export = new Export(table, request.parameters());
    if (!exports.tryAcquire()) {
      throw new UniserveException(ErrorCode.OVERLOADED, EXPORTS_MAX + " exports run already");
    }
    try (SortedScan<SortedDocument> documents =
        client.queries().scanSorted(export.plan(), export.options())) {
      documents.found();
      work.write(SearchPlanner.schema(table), documents);
    } finally {
      exports.release();
    }
  }

  private static SolrException notFound(String what) {
    return new SolrException(SolrException.ErrorCode.NOT_FOUND, what);
  }

  private TableDefinition table(String name) {
    Optional<TableState> state = client.table(name);
    TableDefinition table =
        state.orElseThrow(() -> notFound("there is no table '" + name + "'")).definition();
    if (!table.engine().equals("search")) {
      throw UniserveException.invalid("table '" + name + "' is not of engine 'search'");
    }
    return table;
  }

  private void search(TableDefinition table, SolrParams parameters, NamedList<Object> answer) {
    Select select = new Select(SearchPlanner.schema(table), parameters);
    int millis = parameters.getInt("timeAllowed", -1);
    QueryOptions options =
        millis > 0 ? new QueryOptions(Duration.ofMillis(millis)) : QueryOptions.DEFAULT;
    Plan<SearchResult> plan = SearchPlanner.plan(table, select.request());
    if (parameters.getBool("shards.tolerant", false)) {
      PartialAnswer<SearchResult> some = client.queryPartially(plan, options);
      if (!some.coverage().complete()
          && answer.get("responseHeader") instanceof NamedList<?> head) {
        markPartial(head, some.coverage());
      }
      select.show(some.result(), answer);
    } else {
      select.show(client.query(plan, options), answer);
    }
  }

  /** Marks an answer as partial in Solr's header. */
  @SuppressWarnings("unchecked")
  private static void markPartial(NamedList<?> header, Coverage coverage) {
    NamedList<Object> told = (NamedList<Object>) header;
    told.add("partialResults", true);
    told.add(
        "partialResultsDetails",
        coverage.missing().stream()
            .map(missing -> "actor " + missing.actor() + ": " + missing.why())
            .collect(Collectors.joining("; ")));
  }

  private void update(TableDefinition table, SolrRequest request) throws IOException {
    long automatic = SearchPlanner.schema(table).invisibleMillisMax();
    try (Turns.Turn _ = updates.take(request.body().length)) {
      Update update = new Update(client, table, request.idempotencyKey());
      update.options(request.parameters());
      read(request, update);
      update.apply(
          millis -> {
            // No commit is needed if the table makes changes visible within that time.
            if (millis == 0 || millis < automatic) {
              client.updateAll(table.name(), new Refresh(), committing());
            }
          });
    }
  }

  /**
   * Returns the options of a commit. Committing twice does no harm, so a random idempotency key
   * makes a retry safe.
   */
  private static UpdateOptions committing() {
    return new UpdateOptions(
        UpdateOptions.ALL_COPIES.timeout(),
        UpdateOptions.ALL_COPIES.acknowledgement(),
        Optional.of(UUID.randomUUID().toString()));
  }

  private static void requireOfFormat(String name, String format, Pattern its, String kind) {
    if (its.matcher(name).matches() && !kind.contains(format)) {
      throw UniserveException.invalid(
          "parameter '" + Excerpt.of(name) + "' is only for bodies in " + format);
    }
  }

  private static void read(SolrRequest request, Update update) throws IOException {
    boolean commands = request.parameters().getBool("json.command", true);
    String kind = request.handler().equals("update") ? request.contentType() : request.handler();
    for (Map.Entry<String, String[]> parameter : request.parameters()) {
      requireOfFormat(parameter.getKey(), "csv", OF_CSV, kind);
      requireOfFormat(parameter.getKey(), "json", OF_JSON, kind);
    }
    switch (kind) {
      case "update/json/docs" -> JsonUpdates.read(request.text(), false, update);
      case "update/json", "application/json", "text/json" ->
          JsonUpdates.read(request.text(), commands, update);
      case "update/csv", "application/csv", "text/csv" ->
          CsvUpdates.read(request.text(), request.parameters(), update);
      case "application/xml", "text/xml" -> XmlUpdates.read(request, update);
      case "application/javabin" -> JavabinUpdates.read(request.body(), update);
      default -> {
        if (request.body().length > 0) {
          throw UniserveException.invalid("no update in a body of type " + request.contentType());
        }
      }
    }
  }
}
