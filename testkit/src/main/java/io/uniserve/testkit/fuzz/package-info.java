/**
 * Fuzzing that can be repeated: what a case does follows from its seed alone.
 *
 * <dl>
 *   <dt>case
 *   <dd>one input and what comes of it
 *   <dt>run
 *   <dd>cases of consecutive seeds, for a time
 * </dl>
 */
package io.uniserve.testkit.fuzz;
