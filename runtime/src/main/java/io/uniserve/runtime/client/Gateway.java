package io.uniserve.runtime.client;

import io.uniserve.api.error.UniserveException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A native protocol over HTTP in front of the tables of one engine. Found by {@link
 * java.util.ServiceLoader} next to its engine; must have a public constructor without parameters.
 */
public interface Gateway {
  /**
   * Returns the path below which the gateway answers, for instance {@code /solr}, without a slash
   * at its end.
   */
  String path();

  /**
   * Returns the servlet that answers everything below {@link #path}. Its calls come on threads that
   * may wait.
   *
   * @param client the client of the cluster that it serves; outlives the servlet. It refuses what
   *     the sender of a request may not do, so it must be called on the thread that the request
   *     came on
   */
  HttpServlet servlet(UniserveClient client);

  /**
   * Answers a request that was refused before it reached the servlet, in the form of the gateway's
   * protocol. Must not read the request's body.
   *
   * @param failure the reason: {@link io.uniserve.api.error.ErrorCode#UNAUTHENTICATED} is status
   *     401, {@link io.uniserve.api.error.ErrorCode#FORBIDDEN} 403
   */
  void refuse(HttpServletRequest request, HttpServletResponse response, UniserveException failure)
      throws IOException;
}
