/** The answers that report errors. */
package io.uniserve.node.http.error;
