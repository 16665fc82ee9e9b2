/**
 * The disk of a simulated machine: files in memory that survive a crash of the process as they are,
 * and a crash of the machine only as far as they were forced.
 *
 * <p>A name is not durable with its file: it is when its directory is forced. Until then a crash
 * keeps all that was created, renamed or deleted in that directory since, or nothing of it, each
 * directory on its own; a file in a directory whose name was not forced is gone with that. What was
 * written and not forced is lost, kept, cut or damaged at its end.
 */
package io.uniserve.simulation.disk;
