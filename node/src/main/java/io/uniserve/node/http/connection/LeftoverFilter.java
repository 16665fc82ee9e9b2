package io.uniserve.node.http.connection;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;

/**
 * A filter that answers a refused request and then reads what is left of its body, if that is
 * little. A connection that is closed while its sender still sends is reset, and the answer is lost
 * on the way.
 */
public final class LeftoverFilter implements Filter {
  private static final int BYTES_MAX = 64 << 10;
  private static final Duration TIME_MAX = Duration.ofSeconds(1);
  private static final int ERROR_STATUS_MIN = 400;

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    chain.doFilter(request, response);
    HttpServletRequest http = (HttpServletRequest) request;
    HttpServletResponse answer = (HttpServletResponse) response;
    if (answer.getStatus() >= ERROR_STATUS_MIN
        && !request.isAsyncStarted()
        && hasLittleBody(http)
        && !"close".equalsIgnoreCase(answer.getHeader("Connection"))) {
      answer.getOutputStream().close();
      discard(http.getInputStream());
    }
  }

  private static boolean hasLittleBody(HttpServletRequest http) {
    boolean asks = http.getHeader("Expect") != null; // such a sender waits for its answer
    boolean sends = http.getContentLengthLong() > 0 || http.getHeader("Transfer-Encoding") != null;
    return sends && !asks && http.getContentLengthLong() <= BYTES_MAX;
  }

  private static void discard(ServletInputStream body) throws IOException {
    long began = System.nanoTime();
    byte[] bytes = new byte[8 << 10];
    int left = BYTES_MAX;
    while (left > 0 && System.nanoTime() - began < TIME_MAX.toNanos()) {
      int read = body.read(bytes, 0, Math.min(left, bytes.length));
      if (read < 0) {
        return;
      }
      left -= read;
    }
  }
}
