package dev.coatcheck.worker.tool;

import dev.coatcheck.db.call.CallStores;
import dev.coatcheck.db.call.ToolCallRow;
import dev.coatcheck.db.pool.Insist;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.db.tool.Tools;
import dev.coatcheck.worker.egress.Egress;
import dev.coatcheck.worker.egress.KnownSecrets;
import dev.coatcheck.worker.retry.RetryPolicy;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** The worker's tools, and all that running one needs. */
public final class Toolbox {
  final Tools tools;
  final Stores stores;
  final Manner manner;
  final SendTool send;
  final ToolTexts texts;

  public Toolbox(Tools tools, Stores stores, Manner manner, Door door) {
    this.tools = tools;
    this.stores = stores;
    this.manner = manner;
    this.texts = new ToolTexts(door.secrets);
    this.send = new SendTool(door.egress, texts, door.clock);
  }

  /**
   * Where calls are read and written, and how that is insisted on.
   *
   * @param probe is told how far a call has come
   */
  public record Stores(CallStores calls, Insist insist, Probe probe) {}

  /**
   * How tools are run.
   *
   * @param threads runs each call on a thread of its own
   */
  public record Manner(
      RetryPolicy retries, RandomGenerator random, Executor threads, MeterRegistry meters) {}

  /**
   * The way out.
   *
   * @param secrets that nothing a tool says may show
   */
  public record Door(Egress egress, KnownSecrets secrets, InstantSource clock) {}

  public Tools tools() {
    return tools;
  }

  public CallStores calls() {
    return stores.calls;
  }

  /** Runs calls of one turn side by side, each as its safety says. */
  public CallRun run(List<ToolCallRow> calls, Host host, JobFacts job) throws InterruptedException {
    return new RunCalls(manner.threads)
        .run(calls, call -> new RunCall(this, host, job, call).run());
  }

  void count(String tool, String outcome) {
    manner.meters.counter("coatcheck.tool.sends", "tool", tool, "outcome", outcome).increment();
  }
}
