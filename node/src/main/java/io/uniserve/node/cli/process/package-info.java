/** Commands that start processes of this program. */
package io.uniserve.node.cli.process;
