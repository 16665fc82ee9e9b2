/**
 * What Arrow Flight SQL says and hears of SQL, whoever speaks it: what clients are told of the
 * server, of types and of columns; statements as they travel in handles and tickets; values of
 * parameters; and what is refused. Nothing here knows a cluster.
 */
package io.uniserve.gateways.flightsql.protocol;
