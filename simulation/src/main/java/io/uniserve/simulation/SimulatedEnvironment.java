package io.uniserve.simulation;

import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Transport;
import java.util.random.RandomGenerator;

/** The environment of one life of a process. */
record SimulatedEnvironment(
    Clock clock, Threads threads, Storage storage, Transport transport, RandomGenerator random)
    implements Environment {}
