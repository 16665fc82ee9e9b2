/** Options that commands share. */
package io.uniserve.node.cli.option;
