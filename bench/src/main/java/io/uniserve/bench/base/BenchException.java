package io.uniserve.bench.base;

/**
 * A failure that ends a benchmark. The message says what is missing or wrong, and names the input.
 */
public final class BenchException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public BenchException(String message) {
    super(message);
  }

  public BenchException(String message, Throwable cause) {
    super(message, cause);
  }
}
