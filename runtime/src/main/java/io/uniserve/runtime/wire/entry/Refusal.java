package io.uniserve.runtime.wire.entry;

import io.uniserve.api.error.ErrorCode;

/**
 * The refusal of an update by an engine. An engine refuses on all copies of an actor or on none.
 *
 * @param code the engine's
 * @param message the engine's
 */
public record Refusal(ErrorCode code, String message) {}
