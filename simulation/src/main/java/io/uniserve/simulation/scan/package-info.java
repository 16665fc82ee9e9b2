/**
 * An event-driven simulator of adaptive scans (PNUTS §5): servers with slots, scans with clients of
 * limited rates, and the policies of {@link io.uniserve.policy.scanning}, unchanged.
 *
 * <ul>
 *   <li><b>piece</b>: the part of a partition that a scan reads;
 *   <li><b>grant</b>: the time for which a scan holds a slot: until a piece is read to its end, or
 *       for a page of it;
 *   <li><b>calibration</b>: how long servers read and how much they put out ({@link
 *       io.uniserve.simulation.scan.Calibration}), inferred from the paper's figures;
 *   <li><b>speed</b>: the factor by which a server is faster than the mean.
 * </ul>
 *
 * Rates are in KB/s (1,000 bytes), times in seconds. Everything follows from a seed.
 */
package io.uniserve.simulation.scan;
