/**
 * Live scans by clients of chosen rates, beside the experiments of PNUTS §5, and exports of more
 * data than memory.
 */
package io.uniserve.bench.scans;
