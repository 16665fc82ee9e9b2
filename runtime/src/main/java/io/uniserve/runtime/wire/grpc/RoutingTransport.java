package io.uniserve.runtime.wire.grpc;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The transport of a process that plays several roles. It calls roles in this process directly, and
 * all others over the network.
 */
public final class RoutingTransport implements Transport {
  private final Transport local;
  private final GrpcTransport network;
  private final Map<Address, Listening> here = new ConcurrentHashMap<>();

  /** A role that listens in this process, both directly and over the network. */
  public final class Listening implements Registration {
    private final GrpcListener port;
    private final Registration direct;

    private Listening(GrpcListener port, Registration direct) {
      this.port = port;
      this.direct = direct;
    }

    /**
     * Returns the address where it listens, with the port that was found if it was given port 0.
     */
    public Address address() {
      return port.address();
    }

    @Override
    public void close() {
      here.remove(address(), this);
      direct.close();
      port.close();
    }
  }

  /**
   * @param local carries calls inside this process
   * @param network carries all others
   */
  public RoutingTransport(Transport local, GrpcTransport network) {
    this.local = local;
    this.network = network;
  }

  @Override
  public Listening listen(Address self, Handler handler) {
    GrpcListener port = network.listen(self, handler);
    try {
      Listening listening = new Listening(port, local.listen(port.address(), handler));
      here.put(port.address(), listening);
      return listening;
    } catch (RuntimeException e) {
      port.close();
      throw e;
    }
  }

  @Override
  public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
    return way(to).call(to, request, deadline, replies);
  }

  @Override
  public void tell(Address to, Message message, Deadline deadline) {
    way(to).tell(to, message, deadline);
  }

  private Transport way(Address to) {
    return here.containsKey(to) ? local : network;
  }
}
