/** Requests of the HTTP API. */
package io.uniserve.node.http.api;
