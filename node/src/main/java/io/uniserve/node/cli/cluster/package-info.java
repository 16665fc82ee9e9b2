/** Commands that a running cluster answers. */
package io.uniserve.node.cli.cluster;
