/** The configuration file of one process of a cluster. */
package io.uniserve.node.config;
