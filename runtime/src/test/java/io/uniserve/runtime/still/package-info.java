/** What stands still, for tests of what depends on it: time, a network and an engine. */
package io.uniserve.runtime.still;
