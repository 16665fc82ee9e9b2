/**
 * Puts routers, servers, clients, engines and gateways together: in one process, or as one of many.
 */
package io.uniserve.node.cluster;
