/** The keys of updates that a copy has applied, in memory and on disk. */
package io.uniserve.runtime.server.keys;
