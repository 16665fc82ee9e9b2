/**
 * The interfaces that an engine developer implements and calls: the data-parallel actor model (DPA
 * §3) with the additions of its earlier form (QAS §3: anchors, sub-queries, cost). They depend on
 * the Java base module alone.
 *
 * <dl>
 *   <dt>engine
 *   <dd>a kind of storage with its port, {@link io.uniserve.api.Engine}
 *   <dt>actor
 *   <dd>one partition of one table, {@link io.uniserve.api.Actor}; a black box to the runtime
 *   <dt>table
 *   <dd>a named set of actors of one engine, {@link io.uniserve.api.TableDefinition}
 *   <dt>record, partition key
 *   <dd>a unit of data and the key that decides its actor
 *   <dt>update function
 *   <dd>code that applies records to one actor, {@link io.uniserve.api.UpdateFunction}
 *   <dt>operator
 *   <dd>code that runs on one actor, {@link io.uniserve.api.Operator}
 *   <dt>plan
 *   <dd>a graph of operators over tables, {@link io.uniserve.api.Plan}
 * </dl>
 */
package io.uniserve.api;
