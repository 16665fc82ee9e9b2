/** Placement of copies by policies. */
package io.uniserve.runtime.control.placement;
