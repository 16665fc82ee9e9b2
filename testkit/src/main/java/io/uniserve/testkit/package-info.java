/**
 * Conformance kit for engines: extend {@link io.uniserve.testkit.EngineConformance}, and what the
 * runtime relies on is checked.
 *
 * <dl>
 *   <dt>engine under test
 *   <dd>an engine with everything its author supplies to try it: a table, batches, questions
 *   <dt>batch
 *   <dd>one update with its records, {@link io.uniserve.testkit.local.Batch}
 *   <dt>question
 *   <dd>a plan, with its answers where they are known, {@link io.uniserve.testkit.engine.Question}
 *   <dt>local table
 *   <dd>a table whose actors are all in this process, {@link io.uniserve.testkit.local.LocalTable}
 * </dl>
 */
package io.uniserve.testkit;
