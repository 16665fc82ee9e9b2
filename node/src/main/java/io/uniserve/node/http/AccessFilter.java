package io.uniserve.node.http;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.node.access.Access;
import io.uniserve.node.access.Caller;
import io.uniserve.runtime.client.Gateway;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What every request passes first. Finds out whom it comes from, and has it carried out for that
 * caller; what it may do with tables is then asked by {@link
 * io.uniserve.node.access.GuardedClient}. What is about no table tells of the whole cluster, unless
 * it is listed here: so a new path is closed until somebody opens it.
 */
final class AccessFilter implements Filter {
  private final Access access;
  private final List<Gateway> gateways;

  AccessFilter(Access access, List<Gateway> gateways) {
    this.access = access;
    this.gateways = List.copyOf(gateways);
  }

  /** What a path is about. */
  private enum Subject {
    /** Nothing that needs protection. */
    OPEN,
    /** Tables. */
    TABLES,
    /** The whole cluster. */
    CLUSTER
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest http = (HttpServletRequest) request;
    Optional<Gateway> gateway = gateway(http.getRequestURI());
    Caller caller;
    try {
      caller = admit(http, gateway);
    } catch (UniserveException e) {
      refuse(http, (HttpServletResponse) response, gateway, e);
      return;
    }
    try {
      caller.<Exception>run(() -> chain.doFilter(request, response));
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }

  private Caller admit(HttpServletRequest http, Optional<Gateway> gateway) {
    Origins.check(http, access);
    Subject subject = subject(http);
    if (subject == Subject.OPEN) {
      return Caller.NOBODY;
    }
    Caller caller = access.identify(http, gateway.isEmpty());
    if (subject == Subject.CLUSTER) {
      caller.requireWholeCluster();
    }
    return caller;
  }

  /** Of a path that is read in two ways by different parts of the server, the stricter one. */
  private Subject subject(HttpServletRequest http) {
    String pathInfo = http.getPathInfo() == null ? "" : http.getPathInfo();
    Subject asRead = subject(http.getServletPath() + pathInfo);
    Subject asSent = subject(http.getRequestURI());
    return asRead == asSent ? asRead : Subject.CLUSTER;
  }

  private Subject subject(String path) {
    if (path.equals("/health") || path.equals(SessionApi.PATH) || ConsolePages.has(path)) {
      return Subject.OPEN;
    }
    boolean tables = path.equals("/api/tables") || path.startsWith("/api/tables/");
    return tables || gateway(path).isPresent() ? Subject.TABLES : Subject.CLUSTER;
  }

  private Optional<Gateway> gateway(String path) {
    return gateways.stream().filter(each -> path.startsWith(each.path() + "/")).findFirst();
  }

  private static void refuse(
      HttpServletRequest http,
      HttpServletResponse response,
      Optional<Gateway> gateway,
      UniserveException failure)
      throws IOException {
    if (failure.code() == ErrorCode.UNAUTHENTICATED) {
      // 'Basic' makes a browser ask its user, which the console does better.
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
