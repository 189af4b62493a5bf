package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;

/**
 * Puts a streamed answer together, in one dialect. Made for one attempt: what a broken stream left
 * goes with it.
 */
interface Assembly {
  /** How far the answer has come. */
  enum Progress {
    /** Its end was not seen: what is there is no answer. */
    OPEN,
    /** It is whole; its usage may follow. */
    ENDED,
    /** Nothing more follows. */
    DONE
  }

  /** Takes the data of an event that is no error. */
  Progress take(Json data);

  /** The stream's own word that it is over, where that is no JSON. */
  Progress done();

  /** The answer's body, as if it had not been streamed. */
  Body body();
}
