/** The program: the only place that wires the parts of Uniserve, and its command line. */
package io.uniserve.node;
