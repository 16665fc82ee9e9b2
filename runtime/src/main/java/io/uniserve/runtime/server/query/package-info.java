/** Queries that a server answers, and the versions that they read. */
package io.uniserve.runtime.server.query;
