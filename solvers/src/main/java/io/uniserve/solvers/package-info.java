/**
 * What placement policies need and may not have themselves: a solver with native code, and the
 * clock and processors of this machine.
 */
package io.uniserve.solvers;
