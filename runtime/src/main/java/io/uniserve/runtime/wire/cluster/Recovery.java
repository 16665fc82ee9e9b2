package io.uniserve.runtime.wire.cluster;

/**
 * How a table took the place of another, whose updates it has only up to a moment.
 *
 * @param former the identity of the other, which is gone
 * @param timeMillis when, in milliseconds since 1970
 * @param why who decided it, and what is lost
 */
public record Recovery(long former, long timeMillis, String why) {}
