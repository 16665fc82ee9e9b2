/**
 * The smallest engine, and a cluster that runs it; {@code docs/write-an-engine.md} explains both.
 */
package io.uniserve.examples;
