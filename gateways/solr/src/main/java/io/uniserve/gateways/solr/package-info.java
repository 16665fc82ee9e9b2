/**
 * Solr's HTTP protocol for tables of the search engine. A request becomes a {@link
 * io.uniserve.textindex.request.SearchRequest} or updates, and its answer has the form of Solr 9. A
 * feature that cannot be answered as Solr would is refused by name; {@code docs/solr.md} lists such
 * features.
 *
 * <dl>
 *   <dt>table
 *   <dd>a core or a collection in Solr's terms
 *   <dt>local parameters
 *   <dd>{@code {!parser name=value}} before a query, which take precedence over the request's own
 *   <dt>answer
 *   <dd>a tree of maps, {@link io.uniserve.gateways.solr.Pairs}, lists and values, written as JSON
 *       or javabin
 * </dl>
 */
package io.uniserve.gateways.solr;
