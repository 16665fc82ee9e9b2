/** The streams that a process reads: its sources, formats and settings. */
package io.uniserve.node.stream;
