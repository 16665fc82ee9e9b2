/** The SQL shell. */
package io.uniserve.node.cli.sql;
