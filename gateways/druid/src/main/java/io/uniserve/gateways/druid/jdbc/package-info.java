/**
 * Avatica, the protocol of Druid's JDBC: its connections and statements, and the questions of
 * drivers about schemas, tables and columns.
 */
package io.uniserve.gateways.druid.jdbc;
