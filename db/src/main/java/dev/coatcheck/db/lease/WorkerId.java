package dev.coatcheck.db.lease;

import java.util.UUID;

/** One worker process, from its start to its end. */
public record WorkerId(UUID value) {}
