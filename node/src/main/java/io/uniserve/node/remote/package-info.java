/** The client of a running cluster over HTTP. */
package io.uniserve.node.remote;
