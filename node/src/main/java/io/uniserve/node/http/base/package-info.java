/** Settings of the HTTP surface. */
package io.uniserve.node.http.base;
