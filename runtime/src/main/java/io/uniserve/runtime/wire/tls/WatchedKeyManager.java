package io.uniserve.runtime.wire.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The newest of several key managers. A handshake asks for a name first, then for the key and the
 * certificates of that name. The name tells the generation, so that the answers fit together even
 * if the files change in between.
 */
final class WatchedKeyManager extends X509ExtendedKeyManager {
  private record Generation(long number, X509ExtendedKeyManager keys) {}

  private final Watched<X509ExtendedKeyManager> newest;
  private final ReentrantLock lock = new ReentrantLock();
  private Generation current;
  private Generation former;

  WatchedKeyManager(Watched<X509ExtendedKeyManager> newest) {
    this.newest = newest;
    current = new Generation(0, newest.get());
    former = current;
  }

  private Generation current() {
    X509ExtendedKeyManager keys = newest.get();
    lock.lock();
    try {
      if (keys != current.keys) {
        former = current;
        current = new Generation(former.number + 1, keys);
      }
      return current;
    } finally {
      lock.unlock();
    }
  }

  private Generation of(String alias) {
    long number = Long.parseLong(alias.substring(0, alias.indexOf(':')));
    lock.lock();
    try {
      return former.number == number ? former : current;
    } finally {
      lock.unlock();
    }
  }

  private static String inner(String alias) {
    return alias.substring(alias.indexOf(':') + 1);
  }

  private static String outer(Generation generation, String alias) {
    return alias == null ? null : generation.number + ":" + alias;
  }

  @Override
  public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
    Generation now = current();
    return outer(now, now.keys.chooseEngineServerAlias(type, issuers, engine));
  }

  @Override
  public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
    Generation now = current();
    return outer(now, now.keys.chooseEngineClientAlias(types, issuers, engine));
  }

  @Override
  public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
    Generation now = current();
    return outer(now, now.keys.chooseServerAlias(type, issuers, socket));
  }

  @Override
  public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
    Generation now = current();
    return outer(now, now.keys.chooseClientAlias(types, issuers, socket));
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return of(alias).keys.getCertificateChain(inner(alias));
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return of(alias).keys.getPrivateKey(inner(alias));
  }

  /** Returns no names, since nobody picks one from a list here. */
  @Override
  public String[] getServerAliases(String type, Principal[] issuers) {
    return null;
  }

  @Override
  public String[] getClientAliases(String type, Principal[] issuers) {
    return null;
  }
}
