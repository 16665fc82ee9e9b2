/**
 * The records of a table, outside the heap.
 *
 * <dl>
 *   <dt>chunk
 *   <dd>the memory of some thousand records, a column after the other, small enough for a cache
 *   <dt>slot
 *   <dd>the place of a record in its chunk
 *   <dt>number
 *   <dd>the stored form of a value: all of it, or the first eight bytes of a longer text
 * </dl>
 */
package io.uniserve.engines.sharedscan.data;
