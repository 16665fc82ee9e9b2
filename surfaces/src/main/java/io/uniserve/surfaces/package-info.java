/**
 * The parts that the surfaces for clients share.
 *
 * <ul>
 *   <li><b>Charset</b>: the encoding of characters as bytes. Malformed bytes are refused, never
 *       replaced
 *   <li><b>Byte order mark</b>: a character at the start of a text that shows its charset and is
 *       not part of it
 *   <li><b>Turn</b>: the right to carry out a request; their number at a time is limited
 * </ul>
 */
package io.uniserve.surfaces;
