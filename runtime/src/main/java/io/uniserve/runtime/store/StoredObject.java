package io.uniserve.runtime.store;

import java.time.Instant;

/**
 * An object in a listing.
 *
 * @param key its name
 * @param sizeBytes the size of its content
 * @param modified the time at which it was written, by the store's clock
 */
public record StoredObject(String key, long sizeBytes, Instant modified) {}
