/**
 * The access to a cluster: tokens and their rights, and the client that enforces them for every
 * surface.
 *
 * <dl>
 *   <dt>token
 *   <dd>a secret that identifies its holder; files keep only its hash
 *   <dt>rights
 *   <dd>to administer, or to read or write certain tables
 *   <dt>caller
 *   <dd>the sender of the request that a thread works on
 *   <dt>session
 *   <dd>a browser that has shown a token, and is known by a cookie afterwards
 * </dl>
 */
package io.uniserve.node.access;
