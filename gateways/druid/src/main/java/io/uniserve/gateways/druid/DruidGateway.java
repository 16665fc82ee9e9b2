package io.uniserve.gateways.druid;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.Gateway;
import io.uniserve.runtime.client.UniserveClient;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The gateway of Druid's protocols, below {@code /druid}. */
public final class DruidGateway implements Gateway {
  @Override
  public String path() {
    return "/druid";
  }

  @Override
  public HttpServlet servlet(UniserveClient client) {
    return new DruidServlet(client);
  }

  @Override
  public void refuse(
      HttpServletRequest request, HttpServletResponse response, UniserveException failure)
      throws IOException {
    DruidErrors.write(response, failure);
  }
}
