/** Checks of origin, session and rights before a request is served. */
package io.uniserve.node.http.access;
