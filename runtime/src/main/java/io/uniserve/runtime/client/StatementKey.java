package io.uniserve.runtime.client;

/**
 * The idempotency key of a statement that changes something.
 *
 * @param key the caller's, see {@link UpdateOptions#idempotencyKey}
 * @param statement the statement, as the caller sent it: the same key with another statement is
 *     refused
 */
public record StatementKey(String key, String statement) {}
