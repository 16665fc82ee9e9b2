/**
 * Checks that binary forms stay the same: files in a test's resources pin the bytes of one value of
 * every record and of every constant.
 */
package io.uniserve.testkit.forms;
