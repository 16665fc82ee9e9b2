/** Documents in which the HTTP API answers. */
package io.uniserve.node.http.document;
