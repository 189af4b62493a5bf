package dev.coatcheck.app.submit;

import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.app.setting.AppSettings;
import dev.coatcheck.db.intake.NewJob;
import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.db.json.RawJson;
import java.util.List;
import java.util.Optional;

/** Finds the provider that serves a model. */
final class ReadModel {
  private final AppSettings settings;

  ReadModel(AppSettings settings) {
    this.settings = settings;
  }

  /** The model and who serves it; empty if there is a fault. */
  Optional<NewJob.Model> of(RequestBody body, Faults faults) {
    Optional<RawJson> member = body.member("model");
    if (member.isEmpty()) {
      return settings.defaultModel().isEmpty()
          ? missing(faults)
          : Optional.of(resolve(settings.defaultModel()));
    }
    var field = new Field("model", member.get(), faults);
    return field
        .of(RawJson.Kind.STRING)
        .map(RawJson::text)
        .filter(name -> isLawful(name, field))
        .map(this::resolve);
  }

  /** The problem of a model that names a provider and nothing else. */
  Optional<Problem> unknown(NewJob.Model model) {
    return model.providerModel().isEmpty()
        ? Optional.of(
            Problem.of(
                ProblemCode.MODEL_UNKNOWN,
                List.of(
                    new Problem.FieldError(
                        "model", "names a provider, but no model of that provider"))))
        : Optional.empty();
  }

  private NewJob.Model resolve(String asked) {
    int slash = asked.indexOf('/');
    return slash > 0 && settings.isProvider(asked.substring(0, slash))
        ? new NewJob.Model(asked, asked.substring(0, slash), asked.substring(slash + 1))
        : new NewJob.Model(asked, settings.defaultProvider(), asked);
  }

  /** Half a surrogate pair is no character either. */
  private static boolean isLawful(String name, Field field) {
    boolean lawful =
        !name.isEmpty()
            && name.codePointCount(0, name.length()) <= AppSettings.MAX_MODEL
            && name.codePoints()
                .noneMatch(
                    point ->
                        Character.isISOControl(point)
                            || Character.getType(point) == Character.SURROGATE);
    if (!lawful) {
      field.fault("must have 1 to 256 characters, none of them a control character");
    }
    return lawful;
  }

  private static Optional<NewJob.Model> missing(Faults faults) {
    faults.addForNow("model", "is required, since no default model is configured");
    return Optional.empty();
  }
}
