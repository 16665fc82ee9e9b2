package io.uniserve.simulation.network;

import io.uniserve.simulation.schedule.Life;
import io.uniserve.simulation.schedule.SimulatedClock;

/**
 * One end of a call.
 *
 * @param process the name of the process, for its links
 * @param life its present life
 * @param clock its clock
 */
record End(String process, Life life, SimulatedClock clock) {}
