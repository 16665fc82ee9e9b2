/**
 * The bare engine: Lucene called directly in one process. It is the ceiling of what any system
 * around the same indexes can reach, and the reference for what the right answers are: its four
 * indexes are searched as one.
 */
package io.uniserve.bench.bare;
