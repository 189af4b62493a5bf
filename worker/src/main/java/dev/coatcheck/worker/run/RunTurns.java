package dev.coatcheck.worker.run;

import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.db.dispatch.DispatchLog;
import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.provider.Dialogue;
import dev.coatcheck.worker.provider.PastTurn;
import dev.coatcheck.worker.provider.Provider;
import dev.coatcheck.worker.retry.Past;
import dev.coatcheck.worker.tool.JobTools;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a run: ask the model, run the tools it asks for, ask again, until it stops. It begins
 * wherever the job's recorded turns and calls say that it stands.
 */
final class RunTurns {
  private final AskModel model;
  private final Tenure tenure;
  private final DispatchLog log;
  private final RequestBody body;
  private final JobTools tools;
  private final LeaveRun leave;

  RunTurns(AskModel model, Tenure tenure, DispatchLog log) {
    this.model = model;
    this.tenure = tenure;
    this.log = log;
    this.body = new RequestBody(tenure.job().body());
    this.tools = new JobTools(body, model.tools.tools());
    this.leave = new LeaveRun(model, tenure);
  }

  /**
   * What a turn begins with.
   *
   * @param past what earlier runs tried for it
   */
  record Start(int number, int lastAttempt, boolean isOpened, Dialogue dialogue, List<Past> past) {}

  /**
   * Empty if the lease was lost.
   *
   * @param provider none if this worker does not have it
   */
  Optional<DispatchEnd> run(@Nullable Provider provider) throws InterruptedException {
    int turn = tenure.job().progress().turns();
    int attempt = tenure.job().progress().lastAttempt();
    boolean isOpened = tenure.job().progress().opened();
    while (true) {
      if (turn > 0
          && !isOpened
          && new RunTools(model, tenure, leave, body).run(turn)
              instanceof RunTools.Step.Over(var end)) {
        return end;
      }
      Optional<Start> start = start(turn + 1, attempt, isOpened);
      if (start.isEmpty()) {
        return leave.lost();
      }
      var ask = new AskTurn(this, start.get());
      switch (provider == null ? ask.noProvider() : ask.ask(provider)) {
        case AskTurn.Result.Over(var end) -> {
          return end;
        }
        case AskTurn.Result.Recorded(int last) -> attempt = last;
      }
      turn++;
      isOpened = false;
    }
  }

  /** Insists: what is read here must not break the run off. */
  private Optional<Start> start(int number, int lastAttempt, boolean isOpened)
      throws InterruptedException {
    return model
        .stores
        .insist()
        .on(
            () -> {
              var dialogue =
                  new Dialogue(Body.of(body.messages()), turnsBefore(number), tools.offers());
              return new Start(
                  number, lastAttempt, isOpened, dialogue, attemptsBefore(number, lastAttempt));
            },
            leave::isTooLate);
  }

  private List<PastTurn> turnsBefore(int number) {
    return number == 1 ? List.of() : Talk.of(model.tools.calls().turns().load(tenure.lease()));
  }

  private List<Past> attemptsBefore(int number, int lastAttempt) {
    boolean isResumed = lastAttempt > 0 && number == tenure.job().progress().turns() + 1;
    return isResumed
        ? model.stores.attempts().past(tenure.lease(), number).stream().map(Ledger::past).toList()
        : List.of();
  }

  AskModel model() {
    return model;
  }

  Tenure tenure() {
    return tenure;
  }

  DispatchLog log() {
    return log;
  }

  LeaveRun leave() {
    return leave;
  }

  JobTools tools() {
    return tools;
  }

  boolean isStreamed() {
    return body.isStreamed();
  }

  Body params() {
    return Body.of(body.paramsObject());
  }
}
