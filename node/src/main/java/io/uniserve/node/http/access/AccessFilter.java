package io.uniserve.node.http.access;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.access.Access;
import io.uniserve.node.access.Caller;
import io.uniserve.node.http.api.SessionApi;
import io.uniserve.node.http.error.Refusals;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filter that every request passes first. It identifies the caller, and has the request carried
 * out for that caller; {@link io.uniserve.node.access.GuardedClient} then checks what the caller
 * may do with tables. A path that is not about a table exposes the whole cluster, unless it is
 * listed here; so a new path is closed until it is opened.
 */
public final class AccessFilter implements Filter {
  private static final Logger LOG = LoggerFactory.getLogger(AccessFilter.class);

  private final Access access;
  private final Refusals refusals;

  public AccessFilter(Access access, Refusals refusals) {
    this.access = access;
    this.refusals = refusals;
  }

  /** The paths that probes request. */
  private static final Set<String> OPEN = Set.of("/health", "/ready");

  /** The subject of a path. */
  private enum Subject {
    /** A subject that needs no protection. */
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
    Caller caller;
    try {
      caller = admit(http);
    } catch (UniserveException e) {
      refusals.write(http, (HttpServletResponse) response, e);
      return;
    }
    try {
      caller.<Exception>run(() -> chain.doFilter(request, response));
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (LinkageError | AssertionError | StackOverflowError e) {
      LOG.error("{} {} failed", http.getMethod(), http.getRequestURI(), e);
      if (response.isCommitted()) {
        throw e;
      }
      refusals.write(http, (HttpServletResponse) response, UniserveException.of(e));
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }

  private Caller admit(HttpServletRequest http) {
    Origins.check(http, access);
    Subject subject = subject(http);
    if (subject == Subject.OPEN) {
      return Caller.NOBODY;
    }
    Caller caller = access.identify(http, refusals.gateway(http.getRequestURI()).isEmpty());
    if (subject == Subject.CLUSTER) {
      caller.requireWholeCluster();
    }
    return caller;
  }

  /**
   * Returns the subject of a path. If different parts of the server read the path differently, it
   * is the stricter one.
   */
  private Subject subject(HttpServletRequest http) {
    String pathInfo = http.getPathInfo() == null ? "" : http.getPathInfo();
    Subject asRead = subject(http.getServletPath() + pathInfo);
    Subject asSent = subject(http.getRequestURI());
    return asRead == asSent ? asRead : Subject.CLUSTER;
  }

  private Subject subject(String path) {
    if (OPEN.contains(path) || path.equals(SessionApi.PATH) || ConsolePages.has(path)) {
      return Subject.OPEN;
    }
    boolean tables = path.equals("/api/tables") || path.startsWith("/api/tables/");
    return tables || refusals.gateway(path).isPresent() ? Subject.TABLES : Subject.CLUSTER;
  }
}
