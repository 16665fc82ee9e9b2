/** The fields of a table and the analysis of their text. */
package io.uniserve.textindex.schema;
