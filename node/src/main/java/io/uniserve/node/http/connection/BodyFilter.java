package io.uniserve.node.http.connection;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.api.OrderedApi;
import io.uniserve.node.http.error.Refusals;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A filter that counts the memory of requests' bodies against one budget, no matter which handler
 * reads them. The handler limits the size of a single body.
 */
public final class BodyFilter implements Filter {
  /** The size up to which the server itself keeps the parameters of forms. */
  public static final int FORM_BYTES_MAX = 200_000;

  private final BodyBudget budget;
  private final int bytesPerSecondMin;
  private final Refusals refusals;

  /**
   * @param bytesPerSecondMin the least rate at which bodies have to arrive
   */
  public BodyFilter(BodyBudget budget, int bytesPerSecondMin, Refusals refusals) {
    this.budget = budget;
    this.bytesPerSecondMin = bytesPerSecondMin;
    this.refusals = refusals;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest http = (HttpServletRequest) request;
    long form = formBytes(http);
    try {
      requireUncompressed(http);
      budget.take(form);
    } catch (UniserveException e) {
      refusals.write(http, (HttpServletResponse) response, e);
      return;
    }
    if (http.getRequestURI().matches(OrderedApi.STREAMS)) {
      chain.doFilter(
          http, response); // it may last, and be silent; its handler bounds what it keeps
      return;
    }
    Counted counted = new Counted(http);
    try {
      chain.doFilter(counted, response);
    } finally {
      budget.giveBack(form + counted.bytes());
    }
  }

  private static void requireUncompressed(HttpServletRequest http) {
    String encoding = http.getHeader("Content-Encoding");
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "Content-Encoding: bodies are taken uncompressed");
    }
  }

  private static long formBytes(HttpServletRequest http) {
    String type = http.getHeader("Content-Type");
    if (type == null || !type.startsWith("application/x-www-form-urlencoded")) {
      return 0;
    }
    long length = http.getContentLengthLong();
    return length < 0 ? FORM_BYTES_MAX : Math.min(length, FORM_BYTES_MAX);
  }

  private final class Counted extends HttpServletRequestWrapper {
    private CountedStream stream;

    Counted(HttpServletRequest http) {
      super(http);
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      if (stream == null) {
        stream = new CountedStream(super.getInputStream(), budget, new Pace(bytesPerSecondMin));
      }
      return stream;
    }

    long bytes() {
      return stream == null ? 0 : stream.bytes();
    }
  }
}
