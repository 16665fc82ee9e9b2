/** The requests of searches and their results. */
package io.uniserve.textindex.request;
