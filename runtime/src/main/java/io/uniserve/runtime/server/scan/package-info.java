/** Scans (PNUTS): the slots of a server, who gets them, and the pages that are read with them. */
package io.uniserve.runtime.server.scan;
