/**
 * What an engine's author tests with: {@link io.uniserve.engines.testkit.LocalTables}, which runs
 * plans and updates on an engine without a cluster, and {@link
 * io.uniserve.engines.testkit.EngineConformance}, the checks that every engine must pass.
 */
package io.uniserve.engines.testkit;
