/**
 * The storage that outlives a process: the files of its logs, and the durable store that outlives
 * the machine.
 *
 * <dl>
 *   <dt>frame
 *   <dd>one entry of a log file, with its length and checksum
 *   <dt>durable store
 *   <dd>named objects in a directory or an object store, {@link
 *       io.uniserve.runtime.store.DurableStore}
 *   <dt>object
 *   <dd>the content under one key of the durable store; written as a whole and checked when read
 *   <dt>backup
 *   <dd>one state of an actor's files in the durable store: a manifest and the objects it names
 *   <dt>manifest
 *   <dd>the list of a backup's files, written last: without it there is no backup
 * </dl>
 */
package io.uniserve.runtime.store;
