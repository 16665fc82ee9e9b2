/** Rows and their schema. */
package io.uniserve.engines.olap.rows;
