/**
 * Rows in Arrow's form. They come as streams from the network and from files of anybody, so they
 * are checked before a value is read. This is a library that knows partition keys and nothing about
 * SQL.
 *
 * <dl>
 *   <dt>block
 *   <dd>rows as a complete stream in Arrow's format, {@link io.uniserve.sql.arrow.Blocks}
 *   <dt>sound
 *   <dd>rows whose values lie within their buffers, {@link io.uniserve.sql.arrow.SoundRows}
 *   <dt>spread
 *   <dd>divided by the partition keys of some columns, {@link io.uniserve.sql.arrow.SpreadRows}
 * </dl>
 */
package io.uniserve.sql.arrow;
