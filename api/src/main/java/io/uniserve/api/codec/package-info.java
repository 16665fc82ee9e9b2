/**
 * How values cross the wire and reach the disk: a compact binary form derived from record
 * declarations. Only types that a {@link io.uniserve.api.codec.TypeRegistry} was built with can be
 * decoded, every length is checked against what is really there before memory is taken, and nesting
 * is bounded.
 */
package io.uniserve.api.codec;
