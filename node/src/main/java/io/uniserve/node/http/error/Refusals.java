package io.uniserve.node.http.error;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.Gateway;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The answers to requests that are refused before they reach their surface, in that surface's own
 * form.
 *
 * @param gateways the surfaces that have a form of their own
 */
public record Refusals(List<Gateway> gateways) {

  /** Returns the gateway that a path belongs to. */
  public Optional<Gateway> gateway(String path) {
    return gateways.stream().filter(each -> path.startsWith(each.path() + "/")).findFirst();
  }

  public void write(
      HttpServletRequest http, HttpServletResponse response, UniserveException failure)
      throws IOException {
    Optional<Gateway> gateway = gateway(http.getRequestURI());
    if (failure.code() == ErrorCode.UNAUTHENTICATED) {
      // A browser that sees 'Basic' asks its user, which the console does better.
      response.addHeader(
          "WWW-Authenticate", gateway.isPresent() ? "Basic realm=\"uniserve\"" : "Bearer");
    }
    if (gateway.isPresent()) {
      gateway.get().refuse(http, response, failure);
    } else {
      ErrorAnswer.write(response, failure);
    }
  }
}
