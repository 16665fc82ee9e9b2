/**
 * The joining of batches of operations with the records of a segment (RB §3.1).
 *
 * <dl>
 *   <dt>operation
 *   <dd>a query, an insertion, or a change of the records for which some tests hold
 *   <dt>batch
 *   <dd>operations in their order, which share one pass over the records
 *   <dt>cycle
 *   <dd>one pass with one batch
 *   <dt>index
 *   <dd>the operations of a batch by the values that they test; it lives for one cycle
 *   <dt>bulk
 *   <dd>the evaluation of one test on all records of a chunk
 * </dl>
 */
package io.uniserve.engines.sharedscan.scan;
