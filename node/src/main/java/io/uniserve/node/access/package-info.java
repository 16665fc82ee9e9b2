/**
 * Who may do what: tokens and their rights, and the client that holds every surface to them.
 *
 * <dl>
 *   <dt>token
 *   <dd>a secret that stands for whoever holds it; files keep only its hash
 *   <dt>rights
 *   <dd>to administer, or to read or write certain tables
 *   <dt>caller
 *   <dd>whom the request that a thread works on comes from
 *   <dt>session
 *   <dd>a browser that has shown a token, and is known by a cookie afterwards
 * </dl>
 */
package io.uniserve.node.access;
