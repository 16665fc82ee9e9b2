package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.ScanProgress;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.surfaces.Parameters;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /api/tables/T/scan}, or {@code POST} with the same parameters as a body: gives all
 * records of a table as JSON lines, each once. Lines begin at once and come as fast as they are
 * read. The last line is {@code {"@scan": {"complete": true, "records": N}}}, or has the cursor
 * with which another request goes on. With {@code cursors=true} there is such a line after every
 * page.
 */
public final class ScanApi {
  /** The permitted parameters. */
  static final List<String> PARAMETERS =
      List.of(
          "part",
          "from",
          "to",
          "where",
          "fields",
          "priority",
          "slots",
          "limit",
          "cursor",
          "cursors");

  private static final Logger LOG = LoggerFactory.getLogger(ScanApi.class);

  /** The member of lines that are no records. */
  private static final String MARK = "@scan";

  private static final int SCANS_MAX = 64;

  private final UniserveClient client;
  private final HttpSettings settings;
  private final Semaphore scans = new Semaphore(SCANS_MAX);

  public ScanApi(UniserveClient client, HttpSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/tables/{table}/scan", this::get);
    routes.post("/api/tables/{table}/scan", this::post);
  }

  private void get(Context context) {
    Map<String, String> given = new LinkedHashMap<>();
    new Parameters()
        .addQuery(context.queryString())
        .values()
        .forEach((name, values) -> given.put(name, values.getFirst()));
    run(context, given);
  }

  private void post(Context context) {
    byte[] body = Requests.text(context, settings.queryBytesMax());
    Map<String, String> given = new LinkedHashMap<>();
    Settings.object("the scan", Json.parse(body, 0, body.length))
        .forEach(
            (name, value) -> {
              if (!PARAMETERS.contains(name) || value instanceof Map || value instanceof List) {
                throw UniserveException.invalid(
                    "the scan: '" + Excerpt.of(name) + "' is none of its parameters " + PARAMETERS);
              }
              given.put(name, String.valueOf(value));
            });
    run(context, given);
  }

  private void run(Context context, Map<String, String> given) {
    TableDefinition table = Requests.table(context, client).definition();
    client.queries().requireRead(table.name());
    ScanPlan plan = client.planner(table).scan(table, request(given));
    ScanOptions options = options(given);
    long limit = number(given, "limit", Long.MAX_VALUE);
    boolean cursors = Requests.flag("cursors", given.get("cursors"));
    if (!scans.tryAcquire()) {
      throw new UniserveException(
          ErrorCode.OVERLOADED, SCANS_MAX + " scans are given over HTTP already");
    }
    try (Scan scan = client.queries().scan(plan, options)) {
      context.res().setContentType("application/x-ndjson");
      new Lines(context.res().getOutputStream(), plan, scan).write(limit, cursors);
    } catch (IOException | UncheckedIOException e) {
      LOG.debug("the client of a scan is gone: {}", e.toString());
    } finally {
      scans.release();
    }
  }

  private static ScanRequest request(Map<String, String> given) {
    String fields = given.getOrDefault("fields", "");
    return new ScanRequest(
        Optional.ofNullable(given.get("part")),
        Optional.ofNullable(given.get("from")),
        Optional.ofNullable(given.get("to")),
        Optional.ofNullable(given.get("where")).filter(text -> !text.isBlank()),
        Arrays.stream(fields.split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList());
  }

  private static ScanOptions options(Map<String, String> given) {
    ScanOptions options = ScanOptions.DEFAULT;
    if (given.containsKey("priority")) {
      options = options.withPriority(ScanOptions.priority(given.get("priority")));
    }
    if (given.containsKey("slots")) {
      options = options.withSlots(Math.clamp(number(given, "slots", 1), 0, Integer.MAX_VALUE));
    }
    if (given.containsKey("cursor")) {
      options = options.withCursor(given.get("cursor"));
    }
    return options;
  }

  private static long number(Map<String, String> given, String name, long otherwise) {
    String text = given.get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(text);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // refused as any other number that is not above 0
    }
    throw UniserveException.invalid(
        name + ": must be a whole number above 0, not '" + Excerpt.of(text) + "'");
  }

  /** The lines of one scan. */
  private static final class Lines {
    private final OutputStream out;
    private final ScanPlan plan;
    private final Scan scan;
    private long records;

    Lines(OutputStream out, ScanPlan plan, Scan scan) {
      this.out = out;
      this.plan = plan;
      this.scan = scan;
    }

    /** Writes pages until the end, or until there are as many records as were asked for. */
    void write(long limit, boolean cursors) throws IOException {
      try {
        Optional<List<ByteBuffer>> blocks = scan.nextBlocks();
        while (blocks.isPresent()) {
          blocks.get().forEach(block -> plan.reader().read(block, this::write));
          if (records >= limit) {
            mark(Map.of("cursor", scan.cursor(), "records", records));
            return;
          }
          if (cursors) {
            progress();
          }
          out.flush();
          blocks = scan.nextBlocks();
        }
        mark(Map.of("complete", true, "records", records));
      } catch (UniserveException e) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("code", e.code().name());
        error.put("party", e.code().party().name());
        error.put("retryable", e.retryable());
        error.put("message", String.valueOf(e.getMessage()));
        Map<String, Object> last = new LinkedHashMap<>();
        last.put("error", error);
        last.put("cursor", scan.cursor());
        last.put("records", records);
        mark(last);
      }
    }

    private void progress() throws IOException {
      ScanProgress now = scan.progress();
      Map<String, Object> state = new LinkedHashMap<>();
      state.put("cursor", scan.cursor());
      state.put("records", records);
      state.put("share", now.share());
      state.put("desired", now.desired());
      state.put("held", now.held());
      line(Map.of(MARK, state));
    }

    private void write(Map<String, Object> row) {
      try {
        line(row);
        records++;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void mark(Map<String, Object> last) throws IOException {
      line(Map.of(MARK, last));
      out.flush();
    }

    private void line(Map<String, Object> document) throws IOException {
      out.write(Json.bytes(document));
      out.write('\n');
    }
  }
}
