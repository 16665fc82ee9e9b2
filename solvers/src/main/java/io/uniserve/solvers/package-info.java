/**
 * The services of placement policies that are not pure: a solver with native code, and the clock
 * and processors of this machine.
 */
package io.uniserve.solvers;
