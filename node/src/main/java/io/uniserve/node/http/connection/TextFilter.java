package io.uniserve.node.http.connection;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.error.Refusals;
import io.uniserve.surfaces.Parameters;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A filter that refuses requests whose path or query string is not valid text, no matter which
 * handler would read it. The server itself would put a replacement where it cannot decode.
 */
public record TextFilter(Refusals refusals) implements Filter {
  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest http = (HttpServletRequest) request;
    try {
      Parameters.requirePath(http.getRequestURI());
      new Parameters().addQuery(http.getQueryString());
    } catch (UniserveException e) {
      refusals.write(http, (HttpServletResponse) response, e);
      return;
    }
    chain.doFilter(request, response);
  }
}
