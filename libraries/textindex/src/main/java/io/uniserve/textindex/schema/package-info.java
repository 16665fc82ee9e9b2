/** The fields of a table and how their text is analysed. */
package io.uniserve.textindex.schema;
