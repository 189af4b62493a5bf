package dev.coatcheck.db.dispatch;

import tools.jackson.databind.JsonNode;

/** What a dispatch wakes. Each kind is claimed by itself, into slots of its own. */
enum DispatchKind {
  /** A run of a job. */
  RUN(DispatchHandler.class, RunDispatch.class),
  /** One try to deliver a webhook. */
  DELIVERY(DeliveryHandler.class, RunDelivery.class);

  /** The kind that the thread claims just now. */
  static final ScopedValue<DispatchKind> CLAIMED = ScopedValue.newInstance();

  private final Class<?> handler;
  private final Class<?> request;

  DispatchKind(Class<?> handler, Class<?> request) {
    this.handler = handler;
    this.request = request;
  }

  static DispatchKind current() {
    return CLAIMED.orElse(RUN);
  }

  /** Whether that is what JobRunr stores of this kind, and nothing else. */
  boolean is(JsonNode jobDetails) {
    JsonNode parameters = jobDetails.path("jobParameters");
    return is(handler, jobDetails.path("className"))
        && jobDetails.path("methodName").asString("").equals("run")
        && jobDetails.path("staticFieldName").isMissingNode()
        && parameters.size() == 1
        && is(request, parameters.path(0).path("className"))
        && is(request, parameters.path(0).path("actualClassName"));
  }

  private static boolean is(Class<?> type, JsonNode name) {
    return name.asString("").equals(type.getName());
  }
}
