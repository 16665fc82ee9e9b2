/** Changes of the rings of servers that tables are placed on. */
package io.uniserve.runtime.control.ring;
