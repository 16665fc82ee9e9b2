/** Parts of the index's file format. */
package io.uniserve.textindex.codec;
