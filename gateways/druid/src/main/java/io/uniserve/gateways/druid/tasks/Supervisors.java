package io.uniserve.gateways.druid.tasks;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.stream.StreamState;
import io.uniserve.runtime.wire.stream.StreamState.Status;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Druid's supervisors. Each is a stream into a table of this engine, of the same name; one that was
 * terminated is a stream that has ended, and goes on where it was if it is sent again.
 */
public final class Supervisors {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** The parts of a supervisor that Druid has and that are not here. */
  private static final Set<String> NOT_HERE =
      Set.of("/history", "/stats", "/parseErrors", "/resetOffsets", "/taskGroups/handoff");

  private final UniserveClient client;
  private final Supplier<Map<String, TableDefinition>> readable;
  private final ObjectMapper json;

  /**
   * Makes what answers for supervisors.
   *
   * @param readable gives the tables that the caller may read, on the caller's thread
   */
  public Supervisors(UniserveClient client, Supplier<Map<String, TableDefinition>> readable) {
    this.client = client;
    this.readable = readable;
    json = Druid.get().json();
  }

  /** A supervisor's stream and its table. */
  private record Known(StreamState stream, TableDefinition table) {
    Map<String, Object> spec() {
      return SupervisorDocuments.spec(stream, table);
    }
  }

  /** Returns the supervisors of tables that the caller may read. */
  private List<Known> all() {
    Map<String, TableDefinition> tables = readable.get();
    List<Known> all = new ArrayList<>();
    for (StreamState stream : client.state().streams().values()) {
      TableDefinition table = tables.get(stream.definition().table());
      if (table != null && stream.status() != Status.ENDED) {
        all.add(new Known(stream, table));
      }
    }
    return all;
  }

  private Known one(String id) {
    return all().stream()
        .filter(each -> each.stream().name().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.NOT_FOUND, "there is no supervisor '" + Excerpt.of(id) + "'"));
  }

  /** Returns the supervisors as rows of the table {@code sys.supervisors}. */
  public List<Object[]> rows() {
    return all().stream()
        .map(each -> SupervisorDocuments.row(each.stream(), each.table()))
        .toList();
  }

  /**
   * Answers a request.
   *
   * @param path the path behind {@code /indexer/v1/supervisor}
   * @param body the request's body
   */
  public void answer(
      String path, HttpServletRequest request, byte[] body, HttpServletResponse response)
      throws IOException {
    String[] parts = path.split("/", 3);
    String id = parts.length > 1 ? parts[1] : "";
    String what = parts.length > 2 ? "/" + parts[2] : "";
    String asked = request.getMethod() + " " + (id.isEmpty() ? "" : "ID") + what;
    switch (asked) {
      case "POST " -> write(response, put(body));
      case "GET " -> write(response, list(request));
      case "GET ID" -> write(response, one(id).spec());
      case "GET ID/status" -> write(response, SupervisorDocuments.status(one(id).stream()));
      case "GET ID/health" -> health(id, response);
      case "POST ID/suspend" -> write(response, pause(id, true));
      case "POST ID/resume" -> write(response, pause(id, false));
      case "POST ID/reset" -> write(response, reset(id));
      case "POST ID/terminate", "POST ID/shutdown" -> write(response, terminate(id));
      case "POST ID" -> write(response, allAtOnce(id));
      default -> throw unknown(what, request.getMethod() + " /druid/indexer/v1/supervisor" + path);
    }
  }

  private static UniserveException unknown(String what, String asked) {
    return NOT_HERE.contains(what)
        ? new UniserveException(
            ErrorCode.UNSUPPORTED, "a supervisor's '" + what.substring(1) + "' is not supported")
        : new UniserveException(ErrorCode.NOT_FOUND, "there is no " + Excerpt.of(asked) + " here");
  }

  private Map<String, Object> put(byte[] body) {
    SupervisorSpec spec = SupervisorSpec.read(body);
    String table = spec.schema().dataSource();
    if (client.table(table).isPresent()) {
      client.queries().requireRead(table);
    }
    spec.schema().requireThatOf(json, spec.schema().table(client));
    client.admin().putStream(spec.stream(), spec.suspended(), TIMEOUT);
    return Map.of("id", spec.stream().name());
  }

  private List<?> list(HttpServletRequest request) {
    if (request.getParameterMap().containsKey("full")) {
      return all().stream()
          .map(
              each -> {
                Map<String, Object> document = SupervisorDocuments.condition(each.stream());
                document.put("spec", each.spec());
                return document;
              })
          .toList();
    }
    if (Boolean.parseBoolean(request.getParameter("state"))) {
      return all().stream().map(each -> SupervisorDocuments.condition(each.stream())).toList();
    }
    return all().stream().map(each -> each.stream().name()).toList();
  }

  private void health(String id, HttpServletResponse response) throws IOException {
    boolean healthy = SupervisorDocuments.isHealthy(one(id).stream());
    response.setStatus(healthy ? 200 : 503);
    write(response, Map.of("healthy", healthy));
  }

  private Map<String, Object> pause(String id, boolean suspended) {
    StreamState stream = one(id).stream();
    Status wanted = suspended ? Status.PAUSED : Status.RUNNING;
    if (stream.status() == wanted) {
      throw UniserveException.invalid(
          "supervisor '" + id + "' is already " + (suspended ? "suspended" : "running"));
    }
    client.admin().pauseStream(id, suspended, TIMEOUT);
    return one(id).spec();
  }

  private Map<String, Object> reset(String id) {
    client.admin().resetStream(one(id).stream().name(), TIMEOUT);
    return Map.of("id", id);
  }

  private Map<String, Object> terminate(String id) {
    client.admin().endStream(one(id).stream().name(), TIMEOUT);
    return Map.of("id", id);
  }

  private Map<String, Object> allAtOnce(String what) {
    Consumer<String> change =
        switch (what) {
          case "suspendAll" -> id -> client.admin().pauseStream(id, true, TIMEOUT);
          case "resumeAll" -> id -> client.admin().pauseStream(id, false, TIMEOUT);
          case "terminateAll" -> id -> client.admin().endStream(id, TIMEOUT);
          default -> throw unknown("", "POST /druid/indexer/v1/supervisor/" + what);
        };
    all().forEach(each -> change.accept(each.stream().name()));
    return Map.of("status", "success");
  }

  private void write(HttpServletResponse response, Object value) throws IOException {
    response.setContentType("application/json");
    json.writeValue(response.getOutputStream(), value);
  }
}
