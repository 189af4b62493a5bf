package dev.coatcheck.worker.egress;

import java.net.UnknownHostException;

/** A host stands for an address that may not be called. Its text leaves the address out. */
final class ForbiddenAddress extends UnknownHostException {
  private static final long serialVersionUID = 1L;

  ForbiddenAddress() {
    super("the host has an address that may not be called");
  }
}
