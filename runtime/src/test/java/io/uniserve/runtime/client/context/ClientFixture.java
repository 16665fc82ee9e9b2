package io.uniserve.runtime.client.context;

import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.group.TransactionGroups;
import io.uniserve.runtime.client.load.QuerySets;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.SharedMarks;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.util.List;

/** A client that has heard of nothing yet. */
public final class ClientFixture {
  private ClientFixture() {}

  public static ClientContext context(Environment environment, Controllers controllers) {
    ClientSettings settings = ClientSettings.DEFAULT;
    return new ClientContext(
        environment,
        controllers,
        new Engines(List.of(new StillEngine(true))),
        new StateSubscription(environment, controllers, (state, record) -> {}),
        new StateChanges(),
        new SeenVersions(),
        new SharedMarks(environment),
        new ServerLoad(),
        new QuerySets(environment.clock(), settings.load()),
        new Hedging(settings.hedging()),
        new TransactionGroups(environment.clock()),
        settings);
  }
}
