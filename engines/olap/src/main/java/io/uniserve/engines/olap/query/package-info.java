/** Queries: on an actor, at the client, and as plans. */
package io.uniserve.engines.olap.query;
