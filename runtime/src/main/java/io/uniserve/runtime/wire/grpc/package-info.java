/**
 * The calls between processes over gRPC. They use one server-streaming method, whose messages are
 * the bytes of {@link io.uniserve.kernel.MessageCodec}. The deadline travels as gRPC's own, an
 * error as a status with a trailer that holds its code and message.
 *
 * <dl>
 *   <dt>channel
 *   <dd>the connection to one address, made when first needed and closed when idle
 *   <dt>event loop
 *   <dd>a thread of the network library, on which requests arrive and observers are told; it must
 *       never wait
 *   <dt>member
 *   <dd>a process that has proved that it belongs to the cluster, see {@link
 *       io.uniserve.runtime.wire.grpc.GrpcSecurity}
 *   <dt>protocol version
 *   <dd>a number that both ends of a call must share
 * </dl>
 */
package io.uniserve.runtime.wire.grpc;
