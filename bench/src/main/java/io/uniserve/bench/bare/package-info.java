/**
 * The bare engine: Lucene called directly in one process. It is the ceiling of what any system
 * around the same indexes can reach. It is also the reference for correct answers: its four indexes
 * are searched as one.
 */
package io.uniserve.bench.bare;
