package io.uniserve.gateways.druid;

import io.uniserve.api.error.UniserveException;
import io.uniserve.gateways.druid.tasks.AllowedInputs;
import io.uniserve.runtime.client.Gateway;
import io.uniserve.runtime.client.UniserveClient;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The gateway of Druid's protocols, below {@code /druid}. */
public final class DruidGateway implements Gateway {
  private final AllowedInputs allowed;

  /** Makes the gateway; the environment says what tasks may read. */
  public DruidGateway() {
    this(AllowedInputs.of(System.getenv()));
  }

  /** Makes a gateway whose tasks may read what is given. */
  DruidGateway(AllowedInputs allowed) {
    this.allowed = allowed;
  }

  @Override
  public String path() {
    return "/druid";
  }

  @Override
  public HttpServlet servlet(UniserveClient client) {
    return new DruidServlet(client, allowed);
  }

  @Override
  public void refuse(
      HttpServletRequest request, HttpServletResponse response, UniserveException failure)
      throws IOException {
    DruidErrors.write(response, failure);
  }
}
