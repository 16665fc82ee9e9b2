/**
 * Solr's HTTP protocol in front of tables of the search engine: what a Solr client sends becomes a
 * {@link io.uniserve.textindex.request.SearchRequest} or updates, and is answered in the shapes of
 * Solr 9. What cannot be answered as Solr would is refused by name; {@code docs/solr.md} lists it.
 *
 * <dl>
 *   <dt>table
 *   <dd>what Solr calls a core or a collection
 *   <dt>local parameters
 *   <dd>{@code {!parser name=value}} before a query, which go before the request's own
 *   <dt>answer
 *   <dd>a tree of maps, {@link io.uniserve.gateways.solr.Pairs}, lists and values, written as JSON
 *       or javabin
 * </dl>
 */
package io.uniserve.gateways.solr;
