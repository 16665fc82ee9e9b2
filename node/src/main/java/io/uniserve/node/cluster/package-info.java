/**
 * The assembly of controllers, servers, clients, engines and gateways: in one process, or as one of
 * many.
 */
package io.uniserve.node.cluster;
