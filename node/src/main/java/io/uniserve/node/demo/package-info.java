/** The demo: a cluster with real films, shown and put to the test. */
package io.uniserve.node.demo;
