package io.uniserve.runtime.client;

import jakarta.servlet.http.HttpServlet;

/**
 * A native protocol over HTTP in front of the tables of one engine. Found by {@link
 * java.util.ServiceLoader} next to its engine; must have a public constructor without parameters.
 */
public interface Gateway {
  /**
   * The path below which the gateway answers, for instance {@code /solr}. Without a slash at its
   * end.
   */
  String path();

  /**
   * Answers everything below {@link #path}. Its calls come on threads that may wait.
   *
   * @param client of the cluster that it serves; outlives the servlet
   */
  HttpServlet servlet(UniserveClient client);
}
