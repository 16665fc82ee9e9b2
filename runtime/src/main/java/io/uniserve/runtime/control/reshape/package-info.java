/** Splits, merges and changes of a table's definition. */
package io.uniserve.runtime.control.reshape;
