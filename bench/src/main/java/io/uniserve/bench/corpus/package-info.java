/**
 * The documents that the benchmarks search: English Wikipedia articles of 2015, cut at about one
 * kilobyte each.
 *
 * <ul>
 *   <li><i>article</i>: one {@code <doc>} element of the text files.
 *   <li><i>piece</i>: a part of an article's body of at most {@link
 *       io.uniserve.bench.corpus.DocumentCutter#PIECE_BYTES_MAX} bytes.
 *   <li><i>document</i>: a piece with its id, its article's title and a number.
 * </ul>
 */
package io.uniserve.bench.corpus;
