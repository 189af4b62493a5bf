package dev.coatcheck.worker.run;

import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.db.dispatch.DispatchLog;
import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.provider.Dialogue;
import dev.coatcheck.worker.provider.PastTurn;
import dev.coatcheck.worker.provider.Provider;
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

  /** What a turn begins with. */
  record Start(int number, int lastAttempt, boolean isOpened, Dialogue dialogue) {}

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
      Optional<List<PastTurn>> past = past(turn);
      if (past.isEmpty()) {
        return leave.lost();
      }
      var dialogue = new Dialogue(Body.of(body.messages()), past.get(), tools.offers());
      var ask = new AskTurn(this, new Start(turn + 1, attempt, isOpened, dialogue));
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

  private Optional<List<PastTurn>> past(int turns) throws InterruptedException {
    return turns == 0
        ? Optional.of(List.of())
        : model
            .stores
            .insist()
            .on(() -> Talk.of(model.tools.calls().turns().load(tenure.lease())), leave::isTooLate);
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
