/** Answers that tell errors. */
package io.uniserve.node.http.error;
