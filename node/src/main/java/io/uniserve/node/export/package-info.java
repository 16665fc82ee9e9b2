/** The export of a table of a running cluster to a file. */
package io.uniserve.node.export;
