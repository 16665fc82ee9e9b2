/** Calls that make, split, place, back up and restore tables. */
package io.uniserve.runtime.client.tables;
