/** The documents of the HTTP API's answers. */
package io.uniserve.node.http.document;
