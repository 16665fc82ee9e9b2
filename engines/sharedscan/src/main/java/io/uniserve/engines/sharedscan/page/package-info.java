/**
 * Pages of adaptive scans: the order of records, a page's place in it, and the choice of its
 * records.
 */
package io.uniserve.engines.sharedscan.page;
