package io.uniserve.runtime.client.session;

import io.uniserve.runtime.wire.OrderedMessage.SessionUpdate;
import io.uniserve.runtime.wire.entry.Hash;
import java.util.List;

/**
 * One request of a session that is to be sent, or under way. Two are never the same one.
 *
 * @param number counts the session's requests
 * @param session the session's name
 * @param bornMillis the time at which the session began
 * @param first the sequence number of the first update
 * @param updates consecutive updates, at least one
 */
record Submission(
    long number, Hash session, long bornMillis, long first, List<SessionUpdate> updates) {}
