package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of a delivery of ordered updates.
 *
 * @param results the results of the first of them, which the actor has received, now or before
 * @param behind the number of the newest update that the actor has received, if it lacks one before
 *     the next
 * @param failure the reason why the next could not be received, if it may be later
 */
public record Received(
    List<Result> results, Optional<Long> behind, Optional<UniserveException> failure) {}
