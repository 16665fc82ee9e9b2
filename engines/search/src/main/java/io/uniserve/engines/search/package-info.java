/**
 * Full-text search on Lucene (DPA §3.4): each actor holds one index, and every search is a retrieve
 * and a combine. Its answer equals, document for document and score for score, that of one index
 * with all documents.
 *
 * <dl>
 *   <dt>document
 *   <dd>the record: an id and typed fields, {@link io.uniserve.engines.search.Document}
 *   <dt>schema
 *   <dd>the description of the fields, {@link io.uniserve.engines.search.SearchSchema}
 *   <dt>global statistics
 *   <dd>the numbers of occurrences of a query's terms in the whole table, on which scores depend; a
 *       sub-query collects them before the search
 *   <dt>cursor
 *   <dd>the sort values of the last hit seen, from which the next page follows
 * </dl>
 */
package io.uniserve.engines.search;
