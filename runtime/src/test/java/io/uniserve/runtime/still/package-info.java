/** A clock, a network and an engine that stand still, for tests of code that depends on them. */
package io.uniserve.runtime.still;
