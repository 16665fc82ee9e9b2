package io.uniserve.gateways.solr;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Locale;
import org.apache.solr.common.SolrException;
import org.apache.solr.common.params.MultiMapSolrParams;
import org.apache.solr.common.params.SolrParams;

/**
 * A request, read whole.
 *
 * @param table the table that it is about; empty if about all
 * @param handler what is asked of it, for instance {@code update/json}
 * @param parameters from the query string and from a form
 * @param contentType of the body, in lower case, without its parameters
 * @param body empty if the body is a form
 */
record SolrRequest(
    String table, String handler, SolrParams parameters, String contentType, byte[] body) {
  private static final String FORM = "application/x-www-form-urlencoded";
  static final int BODY_BYTES_MAX = 32 << 20;

  static SolrRequest of(HttpServletRequest http) throws IOException {
    String inAll = ("" + http.getPathInfo()).replaceFirst("^/admin/", "//admin/");
    String[] path = (inAll + "//").split("/", 3);
    String handler = path[2].replaceFirst("/*+$", "");
    String type = ("" + http.getContentType()).split(";")[0].trim().toLowerCase(Locale.ROOT);
    // A body that the path says is JSON or CSV is no form, though curl calls it one.
    boolean form = type.equals(FORM) && !handler.startsWith("update/");
    boolean bodiless = form || http.getMethod().equals("GET");
    byte[] body = bodiless ? new byte[0] : http.getInputStream().readNBytes(BODY_BYTES_MAX + 1);
    if (body.length > BODY_BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "the request's body has more than " + BODY_BYTES_MAX + " bytes");
    }
    try {
      SolrParams parameters = new MultiMapSolrParams(http.getParameterMap());
      return new SolrRequest(path[1], handler, parameters, type, body);
    } catch (RuntimeException e) {
      String why = "" + SolrException.getRootCause(e).getMessage();
      ErrorCode code = why.contains("large") ? ErrorCode.TOO_LARGE : ErrorCode.INVALID_ARGUMENT;
      throw new UniserveException(code, "the parameters cannot be read: " + why, e);
    }
  }
}
