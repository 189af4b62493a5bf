package dev.coatcheck.bench.stock;

import org.jobrunr.jobs.lambdas.JobRequest;

/** A job of the stock engine: the prompt travels in JobRunr's own row. */
public record AskRequest(String marker, String prompt) implements JobRequest {
  @Override
  public Class<AskHandler> getJobRequestHandler() {
    return AskHandler.class;
  }
}
