/**
 * Programs that some tests drive and that are no part of a JDK: {@code build-tools/test-tools.sh}
 * installs them, {@link io.uniserve.testkit.tools.Tools} finds them.
 */
package io.uniserve.testkit.tools;
