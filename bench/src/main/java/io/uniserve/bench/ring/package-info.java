/** Changes of a ring of servers while its ordered table is used. */
package io.uniserve.bench.ring;
