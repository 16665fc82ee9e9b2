/**
 * The benchmark of OLAP: Druid's queries beside a Druid of several processes ({@link
 * io.uniserve.bench.olap.DruidCluster}), beside Druid's engine alone and beside DuckDB; updates,
 * hotspots and failures as in the paper (DPA §7).
 */
package io.uniserve.bench.olap;
