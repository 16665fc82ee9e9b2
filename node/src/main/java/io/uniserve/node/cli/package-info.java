/** The commands of the program. */
package io.uniserve.node.cli;
