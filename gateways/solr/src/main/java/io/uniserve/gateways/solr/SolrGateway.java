package io.uniserve.gateways.solr;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.Gateway;
import io.uniserve.runtime.client.UniserveClient;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The gateway of Solr's protocol, below {@code /solr}. */
public final class SolrGateway implements Gateway {
  @Override
  public String path() {
    return "/solr";
  }

  @Override
  public HttpServlet servlet(UniserveClient client) {
    return new SolrServlet(client);
  }

  @Override
  public void refuse(
      HttpServletRequest request, HttpServletResponse response, UniserveException failure)
      throws IOException {
    SolrServlet.refuse(request, response, failure);
  }
}
