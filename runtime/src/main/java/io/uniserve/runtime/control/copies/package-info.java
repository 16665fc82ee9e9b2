/** The copies of actors: elections, repairs, moves and failures. */
package io.uniserve.runtime.control.copies;
