/** A table in one process, as engines meet it. */
package io.uniserve.testkit.local;
