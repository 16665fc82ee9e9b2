package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.wire.entry.Engines;
import java.util.function.Consumer;

/**
 * The surroundings of the parts that decide on splits, merges and schemas.
 *
 * @param environment the environment of this process
 * @param decisions records what is decided
 * @param settings the settings of this process
 * @param engines check definitions, and tell whether their actors can be split or merged
 * @param reconcile looks at an actor again
 */
public record ControlContext(
    Environment environment,
    Decisions decisions,
    ControllerSettings settings,
    Engines engines,
    Consumer<ActorId> reconcile) {}
