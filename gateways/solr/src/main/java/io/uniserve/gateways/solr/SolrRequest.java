package io.uniserve.gateways.solr;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.surfaces.OutsideText;
import io.uniserve.surfaces.Parameters;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.solr.common.params.MultiMapSolrParams;
import org.apache.solr.common.params.SolrParams;

/**
 * A request that has been read completely.
 *
 * @param table the table that it is about; empty if it is about all tables
 * @param handler the path of the handler, for instance {@code update/json}
 * @param parameters the parameters of the query string and of a form
 * @param contentType the type of the body, in lower case, without parameters
 * @param charset the charset of the body, if its sender names it
 * @param body the body; empty if it is a form
 * @param idempotencyKey the key that makes it safe to send the request again
 */
record SolrRequest(
    String table,
    String handler,
    SolrParams parameters,
    String contentType,
    Optional<Charset> charset,
    byte[] body,
    Optional<String> idempotencyKey) {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final int KEY_LENGTH_MAX = 100;
  static final int BODY_BYTES_MAX = 32 << 20;

  /** A check of the caller's rights before the body is read. */
  @FunctionalInterface
  interface Admission {
    /**
     * Checks that the caller may send the request.
     *
     * @throws UniserveException if the caller may not
     */
    void admit(String table, String handler);
  }

  static SolrRequest of(HttpServletRequest http, Admission admission) throws IOException {
    Parameters.requirePath(http.getRequestURI());
    String inAll = ("" + http.getPathInfo()).replaceFirst("^/admin/", "//admin/");
    String[] path = (inAll + "//").split("/", 3);
    String handler = path[2].replaceFirst("/*+$", "");
    admission.admit(path[1], handler);
    String header = Objects.toString(http.getHeader("Content-Type"), "");
    String type = header.split(";")[0].trim().toLowerCase(Locale.ROOT);
    Optional<Charset> charset = OutsideText.charset(header);
    // If the path says JSON or CSV, the body is no form, although curl calls it one.
    boolean form = type.equals(FORM) && !handler.startsWith("update/");
    int most = form ? Parameters.FORM_BYTES_MAX : BODY_BYTES_MAX;
    byte[] body = http.getInputStream().readNBytes(most + 1);
    if (body.length > most) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "the request's " + (form ? "form" : "body") + " has more than " + most + " bytes");
    }
    Parameters parameters = new Parameters().addQuery(http.getQueryString());
    if (form) {
      parameters.addForm(body, charset.orElse(StandardCharsets.UTF_8));
      body = new byte[0];
    }
    return new SolrRequest(
        path[1], handler, shown(parameters), type, charset, body, idempotencyKey(http));
  }

  private static Optional<String> idempotencyKey(HttpServletRequest http) {
    Optional<String> key = Optional.ofNullable(http.getHeader("Idempotency-Key"));
    if (key.filter(given -> given.isEmpty() || given.length() > KEY_LENGTH_MAX).isPresent()) {
      throw UniserveException.invalid(
          "Idempotency-Key: must have 1 to " + KEY_LENGTH_MAX + " characters");
    }
    return key;
  }

  private static SolrParams shown(Parameters parameters) {
    Map<String, String[]> values = new LinkedHashMap<>();
    parameters.values().forEach((name, each) -> values.put(name, each.toArray(String[]::new)));
    return new MultiMapSolrParams(values);
  }

  /** Returns a text body in UTF-8 without a byte order mark. */
  byte[] text() {
    return OutsideText.utf8(body, charset.orElse(StandardCharsets.UTF_8), "the body");
  }
}
