/**
 * The columns of a table and their values.
 *
 * <dl>
 *   <dt>fixed column
 *   <dd>a column whose values are numbers of one, two, four or eight bytes, which are ordered as
 *       the values are; a text of at most eight bytes is such a number, too
 *   <dt>text column
 *   <dd>a column of longer texts, whose first eight bytes are such a number
 * </dl>
 */
package io.uniserve.engines.sharedscan.schema;
