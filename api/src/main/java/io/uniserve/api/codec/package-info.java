/**
 * The binary form of values on the wire and on disk. It is compact and derived from record
 * declarations. Only types that a {@link io.uniserve.api.codec.TypeRegistry} was built with can be
 * decoded. Every length is checked against the bytes at hand before memory is allocated. Nesting is
 * bounded.
 */
package io.uniserve.api.codec;
