/**
 * Full-text search on Lucene (DPA §3.4): each actor holds one index, every search is a retrieve and
 * a combine, and what a search answers equals, document for document and score for score, what one
 * index holding everything would answer.
 *
 * <dl>
 *   <dt>document
 *   <dd>the record: an id and typed fields, {@link io.uniserve.engines.search.Document}
 *   <dt>schema
 *   <dd>what the fields are, {@link io.uniserve.engines.search.SearchSchema}
 *   <dt>global statistics
 *   <dd>how often the terms of a query occur in the whole table, on which scores depend; collected
 *       by a sub-query before the search
 *   <dt>cursor
 *   <dd>the sort values of the last hit seen, from which the next page follows
 * </dl>
 */
package io.uniserve.engines.search;
