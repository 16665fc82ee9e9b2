package io.uniserve.node.http.access;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.access.Access;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The defence against foreign web pages that use the browser of a user of this cluster: a browser
 * adds cookies, and reaches ports of its own machine, for a page of any author.
 */
final class Origins {
  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
  private static final Pattern PORT = Pattern.compile(":[0-9]*$");
  private static final Pattern LOOPBACK = Pattern.compile("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");

  private Origins() {}

  /**
   * Refuses a request from a foreign page. If no token is asked for, it also refuses requests to a
   * name that somebody else may have given to this machine.
   *
   * @throws UniserveException with {@link ErrorCode#FORBIDDEN}
   */
  static void check(HttpServletRequest http, Access access) {
    String host = http.getHeader("Host");
    String origin = http.getHeader("Origin");
    if (origin != null && !READING.contains(http.getMethod()) && !sameOrigin(origin, host)) {
      throw forbidden("a page of another origin may not change anything here");
    }
    if (!access.secured() && !access.isInsecure() && host != null && !isLoopback(host)) {
      throw forbidden(
          "without tokens, only requests to localhost are answered, not to '"
              + (host.length() > 100 ? host.substring(0, 100) + "..." : host)
              + "'");
    }
  }

  private static UniserveException forbidden(String why) {
    return new UniserveException(ErrorCode.FORBIDDEN, why);
  }

  private static boolean sameOrigin(String origin, String host) {
    int scheme = origin.indexOf("://");
    return scheme > 0 && host != null && origin.substring(scheme + 3).equalsIgnoreCase(host);
  }

  private static boolean isLoopback(String host) {
    String name = PORT.matcher(host).replaceFirst("").toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || name.endsWith(".localhost")
        || name.equals("[::1]")
        || LOOPBACK.matcher(name).matches();
  }
}
