/**
 * Lookups: {@link io.uniserve.engines.olap.lookup.Lookup} is one, {@link
 * io.uniserve.engines.olap.lookup.Lookups} gives them to Druid's code, and {@link
 * io.uniserve.engines.olap.lookup.StoredLookups} keeps them in a table.
 */
package io.uniserve.engines.olap.lookup;
