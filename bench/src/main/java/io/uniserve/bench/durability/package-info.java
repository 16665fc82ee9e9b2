/** What durability costs an update, and how long the actors of a lost server are away. */
package io.uniserve.bench.durability;
