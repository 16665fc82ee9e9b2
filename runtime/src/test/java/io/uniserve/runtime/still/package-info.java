/** Time and an engine for tests of what depends on them, but does not need them to do anything. */
package io.uniserve.runtime.still;
