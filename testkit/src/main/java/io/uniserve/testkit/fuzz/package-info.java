/**
 * Repeatable fuzzing: a case depends on its seed alone.
 *
 * <dl>
 *   <dt>case
 *   <dd>one input and the check of its outcome
 *   <dt>run
 *   <dd>cases of consecutive seeds, for a time
 * </dl>
 */
package io.uniserve.testkit.fuzz;
