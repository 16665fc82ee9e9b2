package io.uniserve.gateways.solr;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.surfaces.SlowBodyException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.solr.common.SolrException;
import org.apache.solr.common.params.MapSolrParams;
import org.apache.solr.common.params.SolrParams;
import org.apache.solr.common.util.JavaBinCodec;
import org.apache.solr.common.util.NamedList;
import org.apache.solr.common.util.SimpleOrderedMap;
import org.apache.solr.common.util.SolrJSONWriter;

/**
 * The servlet that lets requests be answered, and writes answers and errors in the requested form.
 */
final class SolrServlet extends HttpServlet {
  private static final System.Logger LOG = System.getLogger(SolrServlet.class.getName());

  private static final List<String> METHODS = List.of("GET", "POST", "HEAD");

  private final transient Handlers handlers;

  SolrServlet(UniserveClient client) {
    handlers = new Handlers(client);
  }

  @Override
  protected void service(HttpServletRequest http, HttpServletResponse response) throws IOException {
    long started = System.nanoTime();
    SolrParams parameters = form(http);
    NamedList<Object> header = new SimpleOrderedMap<>();
    header.add("status", 0);
    header.add("QTime", 0);
    NamedList<Object> answer = new SimpleOrderedMap<>();
    answer.add("responseHeader", header);
    try {
      if (!METHODS.contains(http.getMethod())) {
        throw UniserveException.invalid("method " + http.getMethod() + " is not one of " + METHODS);
      }
      SolrRequest request = SolrRequest.of(http, handlers::admit);
      parameters = request.parameters();
      if (request.handler().equals("export")) {
        export(request, response);
        return;
      }
      String echo = request.handler().startsWith("update") ? "none" : "explicit";
      if (!parameters.get("echoParams", echo).equals("none")) {
        header.add("params", new SimpleOrderedMap<>(parameters));
      }
      handlers.answer(request, answer);
      if (parameters.getBool("omitHeader", false)) {
        answer.remove("responseHeader");
      }
    } catch (RuntimeException e) {
      int status = status(e);
      parameters = new MapSolrParams(Map.of("wt", parameters.get("wt", "json")));
      header.setVal(0, status);
      refuse(response, status);
      if (status == 413) {
        // A sender that is cut off while it still sends would not see its answer.
        http.getInputStream().skip(SolrRequest.BODY_BYTES_MAX);
      }
      answer.add("error", error(e, status));
    }
    header.setVal(1, (int) ((System.nanoTime() - started) / 1_000_000));
    write(answer, parameters, response);
  }

  private void export(SolrRequest request, HttpServletResponse response) throws IOException {
    SolrParams form = request.parameters();
    try {
      handlers.export(
          request,
          (schema, documents) -> new ExportAnswer(form, response).write(schema, documents));
    } catch (RuntimeException e) {
      if (response.isCommitted()) {
        throw e;
      }
      response.resetBuffer();
      int status = status(e);
      refuse(response, status);
      error(e, status);
      new ExportAnswer(form, response).refuse(status, message(e));
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the client of an export is gone", e);
    }
  }

  /** Writes the error of a request that was refused before it came here; does not read its body. */
  static void refuse(
      HttpServletRequest http, HttpServletResponse response, UniserveException failure)
      throws IOException {
    int status = status(failure);
    NamedList<Object> header = new SimpleOrderedMap<>();
    header.add("status", status);
    header.add("QTime", 0);
    NamedList<Object> answer = new SimpleOrderedMap<>();
    answer.add("responseHeader", header);
    answer.add("error", error(failure, status));
    refuse(response, status);
    write(answer, form(http), response);
  }

  /** Returns the requested form for a request whose parameters have not been read. */
  private static SolrParams form(HttpServletRequest http) {
    String query = "&" + http.getQueryString() + "&";
    return new MapSolrParams(Map.of("wt", query.contains("&wt=javabin&") ? "javabin" : "json"));
  }

  /**
   * Refuses a request and closes its connection, since a part of its body may still be under way.
   */
  private static void refuse(HttpServletResponse response, int status) {
    response.setStatus(status);
    if (status == 413 || status == SlowBodyException.STATUS) {
      response.setHeader("Connection", "close");
    }
  }

  private static int status(RuntimeException failure) {
    if (failure instanceof SolrException solr) {
      return solr.code();
    }
    if (failure instanceof SlowBodyException) {
      return SlowBodyException.STATUS;
    }
    UniserveException known = UniserveException.of(failure);
    ErrorCode code = known.code();
    boolean callers = code.party() == ErrorCode.Party.CALLER;
    return switch (code) {
      case UNAUTHENTICATED -> 401;
      case FORBIDDEN -> 403;
      case TOO_LARGE -> 413;
      case ALREADY_EXISTS -> 409;
      default -> known.outcomeUnknown() ? 504 : code.retryable() ? 503 : callers ? 400 : 500;
    };
  }

  private static NamedList<Object> error(RuntimeException failure, int status) {
    if (status == 500) {
      LOG.log(System.Logger.Level.WARNING, "a request failed", failure);
    }
    NamedList<Object> metadata = new NamedList<>();
    metadata.add("error-class", failure.getClass().getName());
    metadata.add("root-error-class", SolrException.getRootCause(failure).getClass().getName());
    NamedList<Object> error = new SimpleOrderedMap<>();
    error.add("metadata", metadata);
    error.add("msg", message(failure));
    error.add("code", status);
    return error;
  }

  private static String message(RuntimeException failure) {
    return failure instanceof SolrException solr
        ? UniserveException.invalid(solr.getMessage()).getMessage()
        : UniserveException.of(failure).getMessage();
  }

  private static void write(NamedList<Object> answer, SolrParams form, HttpServletResponse response)
      throws IOException {
    if (form.get("wt", "json").equals("javabin")) {
      response.setContentType("application/octet-stream");
      new JavaBinCodec().marshal(answer, response.getOutputStream());
    } else {
      response.setContentType("application/json;charset=utf-8");
      try (OutputStreamWriter text =
          new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8)) {
        SolrJSONWriter json = new SolrJSONWriter(text, form.get("json.nl", "flat"));
        json.setIndent(form.getBool("indent", false)).writeObj(answer).close();
      }
    }
  }
}
