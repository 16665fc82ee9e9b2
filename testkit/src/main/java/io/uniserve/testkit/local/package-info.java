/** Tables in one process, for tests of engines. */
package io.uniserve.testkit.local;
