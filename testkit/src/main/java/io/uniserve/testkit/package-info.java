/**
 * The conformance kit for engines: a test that extends {@link
 * io.uniserve.testkit.EngineConformance} checks the requirements of the runtime.
 *
 * <dl>
 *   <dt>engine under test
 *   <dd>an engine with the material for its checks: a table, batches, questions
 *   <dt>batch
 *   <dd>one update with its records, {@link io.uniserve.testkit.local.Batch}
 *   <dt>question
 *   <dd>a plan, with its known answers, {@link io.uniserve.testkit.engine.Question}
 *   <dt>local table
 *   <dd>a table whose actors are all in this process, {@link io.uniserve.testkit.local.LocalTable}
 * </dl>
 */
package io.uniserve.testkit;
