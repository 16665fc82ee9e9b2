/**
 * A full-text index of one node: what Lucene leaves to those who build on it. Fields have types, a
 * query is text, a search is a request with an answer. How an index is spread over many machines is
 * not its business; who spreads it finds the seams in {@link io.uniserve.textindex.BoundRequest},
 * {@link io.uniserve.textindex.query.WordStatistics} and {@link
 * io.uniserve.textindex.query.StatisticsSearcher}.
 *
 * <dl>
 *   <dt>schema
 *   <dd>what the fields are, {@link io.uniserve.textindex.schema.SearchSchema}
 *   <dt>request, answer
 *   <dd>what is searched, {@link io.uniserve.textindex.request.SearchRequest}, and what one index
 *       finds, {@link io.uniserve.textindex.Answer}
 *   <dt>facet
 *   <dd>a way of counting all that matches, {@link io.uniserve.textindex.request.Facet}
 *   <dt>readers
 *   <dd>what searches see of an index that changes, {@link io.uniserve.textindex.document.Readers}
 *   <dt>cursor
 *   <dd>the sort values of the last hit seen, from which the next page follows
 *   <dt>code
 *   <dd>a number as a long that orders as the numbers do, whatever their type
 * </dl>
 */
package io.uniserve.textindex;
