package io.uniserve.runtime.control.raft;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;

/** A transport for members that only send: nobody calls, and the test receives. */
interface ToldOnly extends Transport {
  @Override
  default Registration listen(Address self, Handler handler) {
    throw new UnsupportedOperationException("nobody listens");
  }

  @Override
  default Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
    throw new UnsupportedOperationException("nobody waits for an answer");
  }

  @Override
  void tell(Address to, Message message, Deadline deadline);
}
