/**
 * The disk of a simulated machine: files in memory that survive a crash of the process as they are,
 * and a crash of the machine only as far as they were forced.
 *
 * <p>Renaming, linking and deleting become durable with the next force of a file, a directory or a
 * replacement, as in a journalling file system; until then a crash keeps either all of them or
 * none. What was written and not forced is lost, kept, cut or damaged at its end.
 */
package io.uniserve.simulation.disk;
