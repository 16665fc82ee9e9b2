/** The actors: segments and rows in memory. */
package io.uniserve.engines.olap.storage;
