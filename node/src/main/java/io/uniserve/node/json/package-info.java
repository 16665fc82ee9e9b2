/**
 * JSON as documents: {@code null}, {@link Boolean}, {@link Long}, {@link Double}, {@link String},
 * {@link java.util.List} of documents, or {@link java.util.Map} from string to document. Nothing is
 * bound to classes by reflection.
 */
package io.uniserve.node.json;
