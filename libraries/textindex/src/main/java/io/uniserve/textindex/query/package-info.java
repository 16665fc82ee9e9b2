/** Queries, their syntax, and the statistics of their words. */
package io.uniserve.textindex.query;
