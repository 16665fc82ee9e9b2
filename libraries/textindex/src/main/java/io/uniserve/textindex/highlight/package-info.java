/** Passages of text that contain the words of a query. */
package io.uniserve.textindex.highlight;
