/** The index's own parts of the file format. */
package io.uniserve.textindex.codec;
