/**
 * The production form of {@link io.uniserve.kernel.Environment}: the machine's own clock, threads
 * and files, and a transport for processes that share one JVM. Only this package and the simulator
 * may ask the JDK for time, threads and random numbers.
 *
 * <dl>
 *   <dt>network
 *   <dd>the processes of one JVM that can reach each other, {@link
 *       io.uniserve.kernel.production.InProcessNetwork}
 *   <dt>attached, detached
 *   <dd>a process that is part of the network, and one that was cut off as if it had been killed
 * </dl>
 */
package io.uniserve.kernel.production;
