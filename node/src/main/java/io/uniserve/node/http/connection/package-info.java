/** The limits of connections and bodies: how slow and how large they may be. */
package io.uniserve.node.http.connection;
