/** Chunks of rows between the stages of a plan, in memory and in files. */
package io.uniserve.runtime.server.plan.chunk;
