package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.codec.Since;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.wire.stream.StreamState;
import java.util.List;

/**
 * Cluster state as it is stored and sent whole (see {@link ClusterState#snapshot}).
 *
 * @param cluster the cluster's identity
 * @param version the number of control records replayed
 * @param controllers the addresses where the controllers listen
 * @param servers every server, by name
 * @param tables every table, by identity
 * @param placementPaused true if placement policies change nothing at present
 * @param scaling the decided size of the cluster
 * @param owners see {@link ClusterState}
 * @param streams every stream, by name
 */
public record ClusterSnapshot(
    String cluster,
    long version,
    List<Address> controllers,
    List<ServerState> servers,
    List<TableState> tables,
    boolean placementPaused,
    ScalingState scaling,
    List<String> owners,
    @Since(2) List<StreamState> streams) {}
