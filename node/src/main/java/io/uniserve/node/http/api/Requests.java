package io.uniserve.node.http.api;

import io.javalin.http.Context;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.access.Caller;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.surfaces.OutsideText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** The reading of a request's parts, within limits. */
final class Requests {
  private static final long DRAINED_BYTES_MAX = 256L << 20;
  private static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);

  private Requests() {}

  /** Returns the table that the path names. */
  static TableState table(Context context, UniserveClient client) {
    String name = context.pathParam("table");
    return client
        .table(name)
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.NOT_FOUND, "there is no table '" + Excerpt.of(name) + "'"));
  }

  /**
   * Returns the body, which is text, in UTF-8 and without a byte order mark.
   *
   * @throws UniserveException if it has more bytes, or some that are no character of its charset
   */
  static byte[] text(Context context, int bytesMax) {
    byte[] body = body(context, bytesMax);
    Optional<Charset> charset = OutsideText.charset(context.header("Content-Type"));
    return OutsideText.utf8(body, charset.orElse(StandardCharsets.UTF_8), "the body");
  }

  /**
   * Returns the body of a request that only administrators may make; nobody else's is waited for.
   *
   * @param what names the action in the message, after "may not"
   */
  static byte[] textOfAdmin(Context context, int bytesMax, String what) {
    Caller.current().requireAdmin(what);
    return text(context, bytesMax);
  }

  private static byte[] body(Context context, int bytesMax) {
    try (InputStream in = context.req().getInputStream()) {
      boolean announced = context.req().getContentLengthLong() > bytesMax;
      byte[] body = announced ? new byte[0] : in.readNBytes(bytesMax + 1);
      if (announced || body.length > bytesMax) {
        in.skip(DRAINED_BYTES_MAX); // a sender whose body is not read would not receive the answer
        throw tooLarge(bytesMax);
      }
      return body;
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.CANCELLED, "the request's body did not arrive: " + e.getMessage(), e);
    }
  }

  private static UniserveException tooLarge(int bytesMax) {
    return new UniserveException(
        ErrorCode.TOO_LARGE, "the request's body is larger than " + bytesMax + " bytes");
  }

  /** Returns the parameter {@code timeoutMillis}. */
  static Duration timeout(String value, Duration otherwise) {
    if (value == null) {
      return otherwise;
    }
    try {
      Duration timeout = Duration.ofMillis(Long.parseLong(value));
      if (!timeout.isPositive() || timeout.compareTo(TIMEOUT_MAX) > 0) {
        throw new NumberFormatException("out of range");
      }
      return timeout;
    } catch (NumberFormatException e) {
      throw UniserveException.invalid(
          "timeoutMillis: must be a whole number from 1 to "
              + TIMEOUT_MAX.toMillis()
              + ", not '"
              + Excerpt.of(value)
              + "'");
    }
  }

  /** Returns a parameter that is {@code true} or {@code false}; false if it is absent. */
  static boolean flag(Context context, String name) {
    return flag(name, context.queryParam(name));
  }

  /** Returns the value of such a parameter. */
  static boolean flag(String name, String value) {
    if (value == null || value.equals("false")) {
      return false;
    }
    if (value.isEmpty() || value.equals("true")) {
      return true;
    }
    throw UniserveException.invalid(
        name + ": must be true or false, not '" + Excerpt.of(value) + "'");
  }
}
