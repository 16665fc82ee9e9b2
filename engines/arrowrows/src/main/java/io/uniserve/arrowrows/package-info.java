/**
 * Rows in Arrow's form. They come as streams from the network and from files that anybody may have
 * made, so whether they are what they say is looked at before a value is read. A library: it knows
 * partition keys, and of SQL nothing.
 *
 * <dl>
 *   <dt>block
 *   <dd>rows in Arrow's stream format, which stands for itself, {@link
 *       io.uniserve.arrowrows.Blocks}
 *   <dt>sound
 *   <dd>rows whose values lie within their buffers, {@link io.uniserve.arrowrows.SoundRows}
 *   <dt>spread
 *   <dd>divided by the partition keys of some columns, {@link io.uniserve.arrowrows.SpreadRows}
 * </dl>
 */
package io.uniserve.arrowrows;
