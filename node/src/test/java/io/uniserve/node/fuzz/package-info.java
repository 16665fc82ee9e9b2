/**
 * Fuzzing of requests over HTTP: the JSON interface, and the Solr gateway on a real search engine.
 *
 * <p>{@code ./uniserve fuzz http --minutes 10} runs it for longer, {@code --seed N} repeats a case.
 * Its findings are listed in {@code docs/security.md}.
 */
package io.uniserve.node.fuzz;
