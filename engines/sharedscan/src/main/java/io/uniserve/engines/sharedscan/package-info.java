/**
 * Tables in memory that are read and changed by shared scans alone: Crescando (RB §3.1). Each actor
 * holds one segment, which one thread passes over again and again. Queries and updates that wait
 * take part in the next pass together. There is no index of the data, and any predicate costs the
 * same.
 */
package io.uniserve.engines.sharedscan;
