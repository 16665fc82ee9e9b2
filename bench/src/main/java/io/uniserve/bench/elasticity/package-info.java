/**
 * A cluster that adapts to a load which rises and falls (DPA §7.3, dynamic load; figure 10), with
 * its hours compressed to minutes.
 */
package io.uniserve.bench.elasticity;
