/** The loading of files of records into a table of a running cluster. */
package io.uniserve.node.load;
