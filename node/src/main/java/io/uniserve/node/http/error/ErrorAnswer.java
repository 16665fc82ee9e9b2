package io.uniserve.node.http.error;

import io.javalin.http.Context;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Json;
import io.uniserve.surfaces.SlowBodyException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Errors as answers: {@code {"error": {"code", "party", "retryable", "message"}}}. */
public final class ErrorAnswer {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorAnswer.class);

  static final String CONTENT_TYPE = "application/json";

  private ErrorAnswer() {}

  /** Returns the HTTP status of a code; this is the only such table. */
  static int status(ErrorCode code) {
    return switch (code) {
      case INVALID_ARGUMENT -> 400;
      case UNAUTHENTICATED -> 401;
      case FORBIDDEN -> 403;
      case NOT_FOUND -> 404;
      case ALREADY_EXISTS, ABORTED -> 409;
      case UNSUPPORTED -> 501;
      case TOO_LARGE -> 413;
      case DEADLINE_EXCEEDED -> 504;
      case CANCELLED -> 499;
      case UNAVAILABLE, STALE_ROUTING, VERSION_GONE -> 503;
      case OVERLOADED -> 429;
      case EXHAUSTED -> 507;
      case CORRUPT, INTERNAL -> 500;
    };
  }

  private static int status(UniserveException failure) {
    return failure instanceof SlowBodyException ? SlowBodyException.STATUS : status(failure.code());
  }

  public static void answer(Context context, UniserveException failure) {
    answer(context, failure, OptionalLong.empty());
  }

  /** Answers with an error that names the line of the body that it is about. */
  public static void answer(Context context, UniserveException failure, OptionalLong line) {
    int status = status(failure);
    if (status == SlowBodyException.STATUS) {
      context.header("Connection", "close"); // the rest of the body is not waited for
    }
    if (status == 500) {
      LOG.error("{} {} failed", context.method(), context.path(), failure);
    }
    if (failure.code() == ErrorCode.OVERLOADED) {
      context.header("Retry-After", "1");
    }
    context.status(status).contentType(CONTENT_TYPE).result(body(failure, line));
  }

  /** Writes an error where there is no context yet. */
  static void write(HttpServletResponse response, UniserveException failure) throws IOException {
    response.setStatus(status(failure));
    response.setContentType(CONTENT_TYPE);
    response.getOutputStream().write(body(failure));
  }

  /**
   * Answers with a failure of the system, for an error that none of our code threw on purpose, such
   * as an engine's assertion.
   */
  public static void unexpected(HttpServletResponse response, Error error) {
    LOG.error("a request failed", error);
    try {
      write(response, UniserveException.of(error));
    } catch (IOException e) {
      LOG.debug("nobody waits for the failure", e);
    }
  }

  static byte[] body(UniserveException failure) {
    return body(failure, OptionalLong.empty());
  }

  private static byte[] body(UniserveException failure, OptionalLong line) {
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("code", failure.code().name());
    error.put("party", failure.code().party().name());
    error.put("retryable", failure.retryable());
    error.put("message", failure.getMessage());
    line.ifPresent(number -> error.put("line", number));
    return Json.bytes(Map.of("error", error));
  }
}
