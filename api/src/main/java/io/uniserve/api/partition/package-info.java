/**
 * Partitions of a table: keys, the actors that hold them, and how a split or merge divides them.
 */
package io.uniserve.api.partition;
