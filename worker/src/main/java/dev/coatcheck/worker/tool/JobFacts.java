package dev.coatcheck.worker.tool;

import dev.coatcheck.db.json.RawJson;
import java.time.Duration;

/**
 * What tools get to know of a job, and how long they may keep it waiting.
 *
 * @param metadata the caller's, a JSON object
 * @param maxWait the longest single wait that a tool may ask for
 */
public record JobFacts(RawJson metadata, Duration maxWait) {}
