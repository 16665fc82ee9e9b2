package io.uniserve.runtime.client;

import java.util.concurrent.CompletableFuture;

/**
 * The two moments of an update of an {@link OrderedSession}. Both fail with the session's failure,
 * if that comes first.
 *
 * @param stable the moment at which its place in the order of its table is durable, so that nothing
 *     can lose or take back the update; the value is that place, or 0 if the answer that told it
 *     was lost. Whatever anybody submits afterwards comes later in the order. Of an update that
 *     took the short way, it is the moment at which it is applied, and the value is the place after
 *     which it stands
 * @param applied the moment at which every actor of the update has applied or refused it, on the
 *     disks of all its readable copies
 */
public record OrderedReceipt(
    CompletableFuture<Long> stable, CompletableFuture<OrderedOutcome> applied) {}
