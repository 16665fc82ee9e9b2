package io.uniserve.gateways.druid;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Failures in the form in which Druid tells them. */
final class DruidErrors {
  private static final System.Logger LOG = System.getLogger(DruidErrors.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();

  private DruidErrors() {}

  /** A failure as Druid names it: a status of HTTP, a code, and a category. */
  private record Named(int status, String errorCode, String category) {}

  private static Named named(UniserveException failure) {
    return switch (failure.code()) {
      case UNAUTHENTICATED -> new Named(401, "unauthorized", "UNAUTHORIZED");
      case FORBIDDEN -> new Named(403, "forbidden", "FORBIDDEN");
      case NOT_FOUND -> new Named(404, "notFound", "NOT_FOUND");
      case UNSUPPORTED -> new Named(501, "unsupported", "UNSUPPORTED");
      case DEADLINE_EXCEEDED -> new Named(504, "queryTimeout", "TIMEOUT");
      case CANCELLED -> new Named(500, "queryCancelled", "CANCELED");
      case EXHAUSTED, OVERLOADED -> new Named(429, "capacityExceeded", "CAPACITY_EXCEEDED");
      case TOO_LARGE -> new Named(413, "tooLarge", "INVALID_INPUT");
      default -> {
        boolean callers = failure.code().party() == ErrorCode.Party.CALLER;
        yield callers
            ? new Named(400, "invalidInput", "INVALID_INPUT")
            : new Named(failure.retryable() ? 503 : 500, "general", "RUNTIME_FAILURE");
      }
    };
  }

  static void write(HttpServletResponse response, UniserveException failure) throws IOException {
    Named named = named(failure);
    if (named.status == 500) {
      LOG.log(System.Logger.Level.WARNING, "a request failed", failure);
    }
    if (response.isCommitted()) {
      throw new IOException("the answer had begun: " + failure.getMessage(), failure);
    }
    response.reset();
    response.setStatus(named.status);
    response.setContentType("application/json");
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("error", "druidException");
    error.put("errorCode", named.errorCode);
    error.put("persona", named.status < 500 ? "USER" : "OPERATOR");
    error.put("category", named.category);
    error.put("errorMessage", failure.getMessage());
    error.put("context", Map.of());
    JSON.writeValue(response.getOutputStream(), error);
  }
}
