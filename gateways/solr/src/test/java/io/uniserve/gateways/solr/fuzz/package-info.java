/**
 * Searches that nobody thought of: random schemas, documents and requests, sent through the gateway
 * and judged by plain Java over the documents.
 */
package io.uniserve.gateways.solr.fuzz;
