/**
 * Rows from files: JSON lines, JSON arrays and CSV, alone or in tar archives, compressed or not, of
 * any size in bounded memory.
 */
package io.uniserve.node.rows;
