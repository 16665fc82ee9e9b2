/**
 * PODP's two mixed-integer linear programs, and the port behind which a solver stands. The programs
 * are built and read here; no solver is part of this module.
 */
package io.uniserve.policy.placement.milp;
