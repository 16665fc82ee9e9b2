/**
 * The engine of OLAP: Druid's segments and queries, made distributed.
 *
 * <dl>
 *   <dt>datasource
 *   <dd>a table of this engine, as Druid calls it
 *   <dt>segment
 *   <dd>rows in Druid's columns and indexes: files that never change
 * </dl>
 */
package io.uniserve.engines.olap;
