/** Pages of adaptive scans: their planning, the order of rows, and the rows of one page. */
package io.uniserve.engines.olap.page;
