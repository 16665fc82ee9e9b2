package io.uniserve.runtime.wire.cluster;

/**
 * The replacement of a table by another, which has its updates only up to a moment.
 *
 * @param former the identity of the replaced table
 * @param timeMillis the time, in milliseconds since 1970
 * @param why the reason: who decided it, and what is lost
 */
public record Recovery(long former, long timeMillis, String why) {}
