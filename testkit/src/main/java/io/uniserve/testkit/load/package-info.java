/** Engines without data, for tests and measurements of load. */
package io.uniserve.testkit.load;
