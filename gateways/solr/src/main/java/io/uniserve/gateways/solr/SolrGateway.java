package io.uniserve.gateways.solr;

import io.uniserve.runtime.client.Gateway;
import io.uniserve.runtime.client.UniserveClient;
import jakarta.servlet.http.HttpServlet;

/** Answers Solr's protocol below {@code /solr}. */
public final class SolrGateway implements Gateway {
  @Override
  public String path() {
    return "/solr";
  }

  @Override
  public HttpServlet servlet(UniserveClient client) {
    return new SolrServlet(client);
  }
}
