/**
 * The controllers: the control log, cluster state as its replay, and the coordinator that decides
 * what is written next (DPA §4.1-§4.4).
 *
 * <p>All decisions are made by one thread, one after another ({@link
 * io.uniserve.runtime.control.log.Decisions}). Work that must wait for other processes runs
 * elsewhere and comes back as a new decision. A decision becomes true when its records are in the
 * log on disk; only then is it published.
 */
package io.uniserve.runtime.control;
