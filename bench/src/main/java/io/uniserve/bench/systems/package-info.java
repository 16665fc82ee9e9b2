/** The systems under comparison, each in a process of its own. */
package io.uniserve.bench.systems;
