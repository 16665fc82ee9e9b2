package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.document.CoverageDocument;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.StatementKey;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.surfaces.Parameters;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code GET /api/tables/T/query?q=TEXT&OPTION=VALUE...} and {@code POST} with a body {@code
 * {"query": TEXT, "options": {OPTION: VALUE}}}: runs a query in the language of the table's engine.
 * {@code timeoutMillis} bounds it; {@code partial=true} asks for a partial answer if some actors
 * cannot answer, with its coverage; {@code read=basic|snapshot|sequential} says what a read of an
 * ordered table sees; every other option is the engine's. The header {@code Idempotency-Key} of a
 * {@code POST} makes a retry of a statement that changes something safe.
 */
public final class QueryApi {
  static final String TIMEOUT = "timeoutMillis";
  private static final String PARTIAL = "partial";
  static final String READ = "read";

  private final UniserveClient client;
  private final HttpSettings settings;

  public QueryApi(UniserveClient client, HttpSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/tables/{table}/query", this::get);
    routes.post("/api/tables/{table}/query", this::post);
  }

  private void get(Context context) {
    Map<String, String> options = new LinkedHashMap<>();
    Parameters given = new Parameters().addQuery(context.queryString());
    given.values().forEach((name, values) -> options.put(name, values.getFirst()));
    String query = options.remove("q");
    if (query == null) {
      throw UniserveException.invalid("the parameter 'q', the query, is missing");
    }
    run(context, Requests.table(context, client).definition(), query, options, true);
  }

  private void post(Context context) {
    TableDefinition table = Requests.table(context, client).definition();
    byte[] body = Requests.text(context, settings.queryBytesMax());
    Settings request = new Settings("query", Json.parse(body, 0, body.length));
    String query = request.text("query");
    Map<String, String> options = new LinkedHashMap<>();
    options.putAll(options(request.object("options")));
    request.finish();
    String timeout = context.queryParam("timeoutMillis");
    if (timeout != null) {
      options.putIfAbsent("timeoutMillis", timeout);
    }
    IdempotencyKeys.of(context).ifPresent(key -> options.put(Planner.IDEMPOTENCY_KEY, key));
    run(context, table, query, options, false);
  }

  /** Returns the options of a query as texts. */
  static Map<String, String> options(Map<String, Object> given) {
    Map<String, String> options = new LinkedHashMap<>();
    given.forEach((name, value) -> options.put(name, option(name, value)));
    return options;
  }

  private static String option(String name, Object value) {
    return switch (value) {
      case String text -> text;
      case Long number -> number.toString();
      case Double number -> number.toString();
      case Boolean flag -> flag.toString();
      case null, default ->
          throw UniserveException.invalid(
              "query: option '" + name + "' must be a string, a number or a boolean");
    };
  }

  private static ReadLevel level(String name) {
    return name == null ? ReadLevel.BASIC : ReadLevel.of(name);
  }

  /**
   * @param readOnly true if the query may change nothing, as in a request by a mere link
   */
  private void run(
      Context context,
      TableDefinition table,
      String query,
      Map<String, String> options,
      boolean readOnly) {
    long started = System.nanoTime();
    boolean partial = Requests.flag(PARTIAL, options.remove(PARTIAL));
    QueryOptions bounded =
        new QueryOptions(Requests.timeout(options.remove(TIMEOUT), QueryOptions.DEFAULT.timeout()))
            .withReadOnly(readOnly)
            .withRead(level(options.remove(READ)));
    String key = options.get(Planner.IDEMPOTENCY_KEY);
    if (key != null) {
      IdempotencyKeys.check(Planner.IDEMPOTENCY_KEY, key);
      bounded = bounded.withKey(new StatementKey(key, query));
    }
    Planner planner = client.planner(table);
    if (planner.isChange(query)) {
      bounded.read().requireOfChange();
    } else {
      client.queries().requireRead(table.name());
    }
    Plan<?> plan = planner.plan(table, query, options);
    LinkedHashMap<String, Object> answer = new LinkedHashMap<>();
    if (partial) {
      PartialAnswer<?> some = client.queryPartially(plan, bounded);
      answer.put("coverage", CoverageDocument.of(some.coverage()));
      answer.put("result", some.result());
    } else {
      answer.put("result", client.query(plan, bounded));
    }
    answer.putFirst("tookMillis", (System.nanoTime() - started) / 1e6);
    context.contentType("application/json").result(Json.bytes(answer));
  }
}
