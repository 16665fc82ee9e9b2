/** Collectors of hits and of facets. */
package io.uniserve.textindex.collect;
