/** The log's way from a primary to its followers, and the life of each copy on this server. */
package io.uniserve.runtime.server.replication;
