/**
 * What the surfaces for clients do alike.
 *
 * <ul>
 *   <li><b>Charset</b>: how bytes are characters. What is malformed in it is refused, never
 *       replaced
 *   <li><b>Byte order mark</b>: a character at the start of a text that tells its charset and is no
 *       part of it
 *   <li><b>Turn</b>: the right to carry out a request, of which there are so many at a time
 * </ul>
 */
package io.uniserve.surfaces;
