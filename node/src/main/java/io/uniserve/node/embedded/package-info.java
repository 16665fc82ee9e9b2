/** A cluster inside one's own process. */
package io.uniserve.node.embedded;
