package dev.coatcheck.chaos;

import java.util.List;

/**
 * What came of one promise.
 *
 * @param number of the invariant
 * @param promise in a few words
 * @param examined how many cases there were, in a few words
 * @param broken one line a case that broke it
 */
record Check(String number, String promise, String examined, List<String> broken) {
  Check {
    broken = List.copyOf(broken);
  }

  boolean holds() {
    return broken.isEmpty();
  }
}
