package io.uniserve.node.http.error;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * The refusals by the HTTP server itself, before any surface sees a request, in the form of all
 * other errors: ambiguous paths, heads that are too large or not HTTP.
 */
public final class ServerErrors extends ErrorHandler {
  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int status,
      String message,
      Throwable cause,
      Callback callback) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, ErrorAnswer.CONTENT_TYPE);
    response.write(true, ByteBuffer.wrap(ErrorAnswer.body(failure(status, message))), callback);
  }

  private static UniserveException failure(int status, String reason) {
    String why = reason == null ? HttpStatus.getMessage(status) : reason;
    return new UniserveException(
        code(status),
        code(status) == ErrorCode.INTERNAL
            ? "the HTTP server failed: " + why
            : "the HTTP server refuses the request: " + why);
  }

  private static ErrorCode code(int status) {
    return switch (status) {
      case HttpStatus.NOT_FOUND_404 -> ErrorCode.NOT_FOUND;
      case HttpStatus.REQUEST_TIMEOUT_408 -> ErrorCode.DEADLINE_EXCEEDED;
      case HttpStatus.PAYLOAD_TOO_LARGE_413,
          HttpStatus.URI_TOO_LONG_414,
          HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431 ->
          ErrorCode.TOO_LARGE;
      case HttpStatus.METHOD_NOT_ALLOWED_405,
          HttpStatus.NOT_IMPLEMENTED_501,
          HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505 ->
          ErrorCode.UNSUPPORTED;
      case HttpStatus.SERVICE_UNAVAILABLE_503 -> ErrorCode.UNAVAILABLE;
      default -> HttpStatus.isServerError(status) ? ErrorCode.INTERNAL : ErrorCode.INVALID_ARGUMENT;
    };
  }
}
