/** The search for phrases of two words, and the positions of words. */
package io.uniserve.textindex.phrase;
