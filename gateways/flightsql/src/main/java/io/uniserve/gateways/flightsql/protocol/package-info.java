/**
 * The messages of Arrow Flight SQL: information about the server, types and columns; statements in
 * handles and tickets; values of parameters; and refusals. This package does not depend on a
 * cluster.
 */
package io.uniserve.gateways.flightsql.protocol;
