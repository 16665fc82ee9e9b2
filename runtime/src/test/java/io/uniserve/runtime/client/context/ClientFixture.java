package io.uniserve.runtime.client.context;

import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.load.QuerySets;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.subscription.Routers;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.util.List;

/** A client that has heard of nothing yet. */
public final class ClientFixture {
  private ClientFixture() {}

  public static ClientContext context(Environment environment, Routers routers) {
    ClientSettings settings = ClientSettings.DEFAULT;
    return new ClientContext(
        environment,
        routers,
        new Engines(List.of(new StillEngine(true))),
        new StateSubscription(environment, routers, (state, record) -> {}),
        new StateChanges(),
        new SeenVersions(),
        new ServerLoad(),
        new QuerySets(environment.clock(), settings.load()),
        new Hedging(settings.hedging()),
        settings);
  }
}
