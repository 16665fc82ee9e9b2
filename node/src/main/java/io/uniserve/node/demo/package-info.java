/** The demo: a cluster with real films, shown and tested. */
package io.uniserve.node.demo;
