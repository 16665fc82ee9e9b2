/**
 * Checks that forms stay as they were: the bytes of one value of every record and of every constant
 * that travels, pinned by files in a test's resources.
 */
package io.uniserve.testkit.forms;
