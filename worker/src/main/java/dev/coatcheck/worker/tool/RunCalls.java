package dev.coatcheck.worker.tool;

import dev.coatcheck.db.call.ToolCallRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/** Runs calls side by side, a bounded number of them, and waits for all. */
final class RunCalls {
  private final Executor threads;

  RunCalls(Executor threads) {
    this.threads = threads;
  }

  /** What is done with one call. */
  interface One {
    CallRun run(ToolCallRow call) throws InterruptedException;
  }

  /** The gravest of what the calls say. One that breaks off does so here, after the others. */
  CallRun run(List<ToolCallRow> calls, One one) throws InterruptedException {
    if (calls.size() == 1) {
      return one.run(calls.getFirst());
    }
    Queue<ToolCallRow> queue = new ConcurrentLinkedQueue<>(calls);
    List<CompletableFuture<CallRun>> hands = new ArrayList<>();
    for (int i = 0; i < Math.min(Limits.SIDE_BY_SIDE, calls.size()); i++) {
      var hand = new CompletableFuture<CallRun>();
      hands.add(hand);
      threads.execute(() -> work(queue, one, hand));
    }
    return gravest(hands);
  }

  private static void work(Queue<ToolCallRow> queue, One one, CompletableFuture<CallRun> hand) {
    try {
      CallRun gravest = CallRun.RECORDED;
      for (ToolCallRow next = queue.poll(); next != null; next = queue.poll()) {
        gravest = graver(gravest, one.run(next));
      }
      hand.complete(gravest);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      hand.completeExceptionally(e);
    } catch (Throwable e) {
      hand.completeExceptionally(e);
    }
  }

  private static CallRun gravest(List<CompletableFuture<CallRun>> hands)
      throws InterruptedException {
    CallRun gravest = CallRun.RECORDED;
    Throwable broken = null;
    for (CompletableFuture<CallRun> hand : hands) {
      try {
        gravest = graver(gravest, hand.get());
      } catch (ExecutionException e) {
        broken = e.getCause();
      }
    }
    return switch (broken) {
      case null -> gravest;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case InterruptedException e -> throw e;
      default -> throw new IllegalStateException(broken);
    };
  }

  private static CallRun graver(CallRun one, CallRun other) {
    return one == CallRun.LEASE_LOST || other == CallRun.LEASE_LOST
        ? CallRun.LEASE_LOST
        : one == CallRun.STOPPED || other == CallRun.STOPPED ? CallRun.STOPPED : CallRun.RECORDED;
  }
}
