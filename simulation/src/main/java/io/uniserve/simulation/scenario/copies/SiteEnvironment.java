package io.uniserve.simulation.scenario.copies;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Transport;
import java.util.random.RandomGenerator;

/**
 * The environment of a process that reaches only those of its own site, by the addresses that are
 * used at the other site, too.
 *
 * @param environment the environment of the simulated process
 * @param site the site of the process
 */
record SiteEnvironment(Environment environment, Site site) implements Environment {
  @Override
  public Clock clock() {
    return environment.clock();
  }

  @Override
  public Threads threads() {
    return environment.threads();
  }

  @Override
  public Storage storage() {
    return environment.storage();
  }

  @Override
  public RandomGenerator random() {
    return environment.random();
  }

  @Override
  public Transport transport() {
    return new SiteTransport(environment.transport(), site);
  }

  private record SiteTransport(Transport transport, Site site) implements Transport {
    @Override
    public Registration listen(Address self, Handler handler) {
      return transport.listen(here(self), handler);
    }

    @Override
    public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
      return transport.call(here(to), request, deadline, replies);
    }

    @Override
    public void tell(Address to, Message message, Deadline deadline) {
      transport.tell(here(to), message, deadline);
    }

    private Address here(Address address) {
      return new Address(site.at(address.value()));
    }
  }
}
