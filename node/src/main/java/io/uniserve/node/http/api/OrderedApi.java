package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.OrderedMessage;
import io.uniserve.runtime.wire.OrderedMessage.OrderReport;
import io.uniserve.surfaces.OutsideText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /api/tables/T/ordered}: a session of an ordered table as a stream; with {@code
 * way=short}, updates of one actor take the short way past the order. Each line of the body is one
 * update, a record or an array of records; or a read, {@code {"$query": TEXT}}. Each line of the
 * answer tells a moment of one line: that it is stable, its outcome, the result of a read, or its
 * error. {@code GET} of that path tells how far the order is, and what waits; {@code DELETE
 * /api/tables/T/ordered/N} drops an update on which an actor stalls.
 */
public final class OrderedApi {
  /** The paths of streams, whose bodies are read as they come, as a regular expression. */
  public static final String STREAMS = "/api/tables/[^/]+/ordered/?";

  /**
   * The name by which a line is known as a read; no field of a record begins with a dollar sign.
   */
  private static final String QUERY = "$query";

  private static final String WAY = "way";

  /** The parameters that a stream may have. */
  static final List<String> PARAMETERS = List.of(WAY);

  private static final String SHORT = "short";

  private static final int STREAMS_MAX = 64;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration DRAINED_WITHIN = Duration.ofMinutes(10);

  private static final Logger LOG = LoggerFactory.getLogger(OrderedApi.class);

  private final UniserveClient client;
  private final Semaphore streams = new Semaphore(STREAMS_MAX);

  public OrderedApi(UniserveClient client) {
    this.client = client;
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/tables/{table}/ordered", this::report);
    routes.post("/api/tables/{table}/ordered", this::stream);
    routes.delete("/api/tables/{table}/ordered/{number}", this::drop);
  }

  private void report(Context context) {
    String table = Requests.table(context, client).definition().name();
    OrderReport report = client.admin().order(table, TIMEOUT);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("head", report.head());
    document.put("waiting", report.waiting());
    document.put("waitingBytes", report.waitingBytes());
    List<Object> slowest = new ArrayList<>();
    for (OrderedMessage.Backlog backlog : report.slowest()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("actor", backlog.actor());
      one.put("updates", backlog.updates());
      one.put("bytes", backlog.sizeBytes());
      slowest.add(one);
    }
    document.put("slowest", slowest);
    context.contentType("application/json").result(Json.bytes(document));
  }

  private void drop(Context context) {
    String table = Requests.table(context, client).definition().name();
    long number = number(context.pathParam("number"));
    Duration timeout = Requests.timeout(context.queryParam("timeoutMillis"), TIMEOUT);
    client.admin().dropUpdate(table, number, timeout);
    context.contentType("application/json").result(Json.bytes(Map.of("dropped", number)));
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw UniserveException.invalid("not the number of an update: '" + Excerpt.of(text) + "'");
    }
  }

  private void stream(Context context) throws IOException {
    TableDefinition table = Requests.table(context, client).definition();
    Optional<Charset> charset = OutsideText.charset(context.header("Content-Type"));
    if (charset.filter(other -> !other.equals(StandardCharsets.UTF_8)).isPresent()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "Content-Type: a stream of ordered updates is UTF-8");
    }
    SessionOptions options = options(context.queryParam(WAY));
    if (!streams.tryAcquire()) {
      throw new UniserveException(
          ErrorCode.OVERLOADED, STREAMS_MAX + " streams of ordered updates are open already");
    }
    try (OrderedSession session = client.updates().session(table.name(), options)) {
      context.res().setContentType("application/x-ndjson");
      OutcomeLines answers = new OutcomeLines(context.res().getOutputStream());
      Thread writer = Thread.ofVirtual().name("ordered outcomes").start(answers::write);
      try {
        read(new BodyLines(context.req().getInputStream()), table, session, answers);
        answers.end(DRAINED_WITHIN);
      } catch (IOException e) {
        LOG.debug("the body of a stream of ordered updates has ended: {}", e.toString());
        answers.finish();
        answers.end(DRAINED_WITHIN);
      } finally {
        answers.close();
        join(writer);
      }
    } finally {
      streams.release();
    }
  }

  private static SessionOptions options(String way) {
    return switch (way) {
      case null -> SessionOptions.DEFAULT;
      case "order" -> SessionOptions.DEFAULT;
      case SHORT -> SessionOptions.DEFAULT.withShortWay();
      default ->
          throw UniserveException.invalid(
              "parameter '" + WAY + "': '" + Excerpt.of(way) + "', 'order' or 'short'");
    };
  }

  private static void join(Thread writer) {
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(
      BodyLines lines, TableDefinition table, OrderedSession session, OutcomeLines answers)
      throws IOException {
    Planner planner = client.planner(table);
    while (answers.begin()) {
      try {
        Optional<byte[]> line = lines.next();
        if (line.isEmpty()) {
          answers.finish();
          return;
        }
        Object parsed = Json.parse(line.get(), 0, line.get().length);
        if (parsed instanceof Map<?, ?> object && object.containsKey(QUERY)) {
          answers.tell(lines.number(), read(object, table, planner, session));
        } else {
          answers.tell(lines.number(), submit(parsed, table, planner, session));
        }
      } catch (UniserveException e) {
        answers.tell(lines.number(), e);
        if (session.failed() || lines.over()) {
          return;
        }
      }
    }
  }

  private static CompletableFuture<?> read(
      Map<?, ?> line, TableDefinition table, Planner planner, OrderedSession session) {
    Settings request = new Settings("the read", Settings.object("the read", line));
    String query = request.text(QUERY);
    Map<String, String> options = QueryApi.options(request.object("options"));
    request.finish();
    Duration timeout = Requests.timeout(options.remove(QueryApi.TIMEOUT), TIMEOUT);
    ReadLevel level =
        Optional.ofNullable(options.remove(QueryApi.READ))
            .map(ReadLevel::of)
            .orElse(ReadLevel.SEQUENTIAL);
    return session.read(planner.plan(table, query, options), level, timeout);
  }

  @SuppressWarnings("unchecked")
  private static OrderedReceipt submit(
      Object parsed, TableDefinition table, Planner planner, OrderedSession session) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Object record : parsed instanceof List<?> several ? several : List.of(parsed)) {
      rows.add(Settings.object("the record", record));
    }
    List<PartitionedRecord> records = new ArrayList<>(planner.records(table, rows));
    UpdateFunction<?, PartitionedRecord> load =
        (UpdateFunction<?, PartitionedRecord>) planner.load(table); // made for its own records
    return session.submit(load, records);
  }

  /** The lines of a body that may have no end. */
  private static final class BodyLines {
    private static final int LINE_BYTES_MAX = 1 << 20;
    private static final int BUFFER_BYTES = 16 << 10;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private byte[] line = new byte[BUFFER_BYTES];
    private int at;
    private int end;
    private long number;
    private boolean over;

    BodyLines(InputStream in) {
      this.in = in;
    }

    /** Returns the number of the last line, from 1. */
    long number() {
      return number;
    }

    /** Returns whether a line was too long, so that nothing after it is read. */
    boolean over() {
      return over;
    }

    /** Returns the next line that is not blank; empty at the end of the body. */
    Optional<byte[]> next() throws IOException {
      int length = 0;
      boolean blank = true;
      while (true) {
        if (at == end) {
          end = in.read(buffer);
          at = 0;
          if (end < 0) {
            end = 0;
            number += blank ? 0 : 1;
            return blank ? Optional.empty() : Optional.of(Arrays.copyOf(line, length));
          }
          continue;
        }
        byte next = buffer[at++];
        if (next == '\n') {
          number++;
          if (!blank) {
            return Optional.of(Arrays.copyOf(line, length));
          }
          length = 0;
          continue;
        }
        if (length == LINE_BYTES_MAX) {
          over = true;
          throw new UniserveException(
              ErrorCode.TOO_LARGE,
              "line " + ++number + " has more than " + LINE_BYTES_MAX + " bytes");
        }
        if (length == line.length) {
          line = Arrays.copyOf(line, Math.min(LINE_BYTES_MAX, 2 * length));
        }
        blank &= Character.isWhitespace(next);
        line[length++] = next;
      }
    }
  }
}
