/**
 * Transport encryption from PEM files, which may change while the process runs.
 *
 * <dl>
 *   <dt>identity
 *   <dd>a certificate, with those that connect it to its authority, and its private key
 *   <dt>trust
 *   <dd>the certificates of the authorities that are trusted
 * </dl>
 */
package io.uniserve.runtime.wire.tls;
