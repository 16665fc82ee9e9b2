/**
 * The programs that some tests drive and a JDK lacks. {@code build-tools/test-tools.sh} installs
 * them, and {@link io.uniserve.testkit.tools.Tools} finds them.
 */
package io.uniserve.testkit.tools;
