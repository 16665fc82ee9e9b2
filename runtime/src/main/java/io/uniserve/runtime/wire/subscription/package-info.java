/**
 * The state of the cluster as it is pushed to servers and clients, and the questions of all
 * processes to the controllers: for decisions, and for marks in the order of tables.
 */
package io.uniserve.runtime.wire.subscription;
