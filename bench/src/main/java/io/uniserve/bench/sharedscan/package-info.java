/** The benchmark of the engine of shared scans, beside the paper's figures and other engines. */
package io.uniserve.bench.sharedscan;
