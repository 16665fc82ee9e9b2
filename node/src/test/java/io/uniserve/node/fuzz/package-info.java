/**
 * Fuzzing of what comes over HTTP: the JSON interface, and the Solr gateway on a real search
 * engine.
 *
 * <p>{@code ./uniserve fuzz http --minutes 10} runs it for longer, {@code --seed N} repeats a case.
 * What it found is listed in {@code docs/security.md}.
 */
package io.uniserve.node.fuzz;
