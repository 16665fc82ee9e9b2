/**
 * Druid's own tests of SQL, run on actors: {@link io.uniserve.druidtests.DruidSuiteTest} chooses
 * them, {@link io.uniserve.druidtests.SuiteRun} runs them, {@link
 * io.uniserve.druidtests.ActorComponents} puts Uniserve's client in the place of Druid's walker,
 * and {@link io.uniserve.druidtests.SuiteTables} makes tables of the tests' segments.
 */
package io.uniserve.druidtests;
