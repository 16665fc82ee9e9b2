/** Scans at the client (PNUTS §3): which pages are read, where, and how many at a time. */
package io.uniserve.runtime.client.scan;
