package dev.coatcheck.bench.stock;

import dev.coatcheck.bench.BenchFailed;
import dev.coatcheck.bench.Samples;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.jobrunr.scheduling.JobRequestScheduler;

/** An order for jobs, put in by several producers at once. */
record Enqueue(String marker, int count, int producers) {
  static Enqueue parse(String query) {
    var parts = query.split(",", -1);
    return new Enqueue(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
  }

  String with(JobRequestScheduler scheduler) {
    try (var threads = Executors.newFixedThreadPool(producers)) {
      var shares = new ArrayList<Callable<Samples>>();
      for (int producer = 0; producer < producers; producer++) {
        int first = producer;
        shares.add(() -> share(scheduler, first));
      }
      long start = System.nanoTime();
      var latencyMs = new Samples();
      for (var share : threads.invokeAll(shares)) {
        latencyMs.addAll(share.get());
      }
      double perSecond = count / ((System.nanoTime() - start) / 1e9);
      return perSecond + " " + latencyMs.median() + " " + latencyMs.percentile(99);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailed("interrupted");
    } catch (ExecutionException e) {
      throw new BenchFailed("the stock engine took no job: " + e.getCause());
    }
  }

  private Samples share(JobRequestScheduler scheduler, int first) {
    var latencyMs = new Samples();
    for (int nth = first; nth < count; nth += producers) {
      long start = System.nanoTime();
      scheduler.enqueue(new AskRequest(marker, "Summarise order " + marker + nth + "."));
      latencyMs.add((System.nanoTime() - start) / 1e6);
    }
    return latencyMs;
  }
}
