/** The choice of who reads a stream, and the record of how far it has got. */
package io.uniserve.runtime.control.stream;
