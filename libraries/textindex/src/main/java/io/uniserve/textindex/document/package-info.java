/** The documents of the index and their readers. */
package io.uniserve.textindex.document;
