/** The checks of the conformance kit. */
package io.uniserve.testkit.checks;
