/**
 * Fuzzing of what processes send each other: messages as bytes, and bytes on the connection.
 *
 * <p>{@code ./uniserve fuzz wire --minutes 10} runs it for longer, {@code --seed N} repeats a case.
 * What it found is listed in {@code docs/security.md}.
 */
package io.uniserve.runtime.wire.fuzz;
