/**
 * A full-text index of one node, built on Lucene. It adds typed fields, query languages, and
 * searches with requests and answers. It does not distribute an index over machines; a distributed
 * system uses {@link io.uniserve.textindex.BoundRequest}, {@link
 * io.uniserve.textindex.query.WordStatistics} and {@link
 * io.uniserve.textindex.query.StatisticsSearcher}.
 *
 * <dl>
 *   <dt>schema
 *   <dd>the description of the fields, {@link io.uniserve.textindex.schema.SearchSchema}
 *   <dt>request, answer
 *   <dd>a search, {@link io.uniserve.textindex.request.SearchRequest}, and the result of one index,
 *       {@link io.uniserve.textindex.Answer}
 *   <dt>facet
 *   <dd>a way of counting all matches, {@link io.uniserve.textindex.request.Facet}
 *   <dt>readers
 *   <dd>the views of searches on a changing index, {@link io.uniserve.textindex.document.Readers}
 *   <dt>cursor
 *   <dd>the sort values of the last hit seen, from which the next page follows
 *   <dt>code
 *   <dd>a number of any type as a long with the same order
 * </dl>
 */
package io.uniserve.textindex;
