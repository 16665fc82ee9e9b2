/** Time for tests of what depends on it. */
package io.uniserve.runtime.still;
