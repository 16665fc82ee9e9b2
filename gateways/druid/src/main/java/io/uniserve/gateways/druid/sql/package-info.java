/** Druid SQL: its planner over the tables of a cluster, and its statements over HTTP and JDBC. */
package io.uniserve.gateways.druid.sql;
