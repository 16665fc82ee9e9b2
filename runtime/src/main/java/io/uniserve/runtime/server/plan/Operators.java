package io.uniserve.runtime.server.plan;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.entry.Payload;

/**
 * The operator of a stage, decoded as the kind that its work names.
 *
 * @param host the host whose engines know it
 * @param payload the operator
 */
record Operators(PlanHost host, Payload payload) {
  /**
   * Decodes the operator.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if it
   *     is of another kind
   */
  <T> T as(Class<T> kind) {
    Object decoded = payload.value(host.engines());
    if (!kind.isInstance(decoded)) {
      throw UniserveException.invalid(
          decoded.getClass().getSimpleName() + " is not a " + kind.getSimpleName() + " operator");
    }
    return kind.cast(decoded);
  }
}
