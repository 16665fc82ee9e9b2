/** The rings of servers that tables are placed on, and their changes. */
package io.uniserve.runtime.wire.ring;
