package io.uniserve.node.remote;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/** A failure: the cluster refused a batch because of one of its lines, and stored nothing of it. */
public final class RefusedLineException extends UniserveException {
  private static final long serialVersionUID = 1L;

  private final long line;

  RefusedLineException(ErrorCode code, String message, long line) {
    super(code, message);
    this.line = line;
  }

  /** Returns the line of the batch, from 1. */
  public long line() {
    return line;
  }

  /** Returns what is wrong with it, without its place. */
  public String reason() {
    String prefix = "line " + line + ": ";
    return getMessage().startsWith(prefix) ? getMessage().substring(prefix.length()) : getMessage();
  }
}
