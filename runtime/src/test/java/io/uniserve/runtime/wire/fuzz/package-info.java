/**
 * Fuzzing of the messages between processes: messages as bytes, and bytes on the connection.
 *
 * <p>{@code ./uniserve fuzz wire --minutes 10} runs it for longer, {@code --seed N} repeats a case.
 * Its findings are listed in {@code docs/security.md}.
 */
package io.uniserve.runtime.wire.fuzz;
