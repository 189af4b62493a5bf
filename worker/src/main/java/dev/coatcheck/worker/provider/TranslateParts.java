package dev.coatcheck.worker.provider;

import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.json.RawJson.Kind;
import dev.coatcheck.worker.egress.Body;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says the parts of a content as Anthropic's blocks. Those that are blocks already stay. */
final class TranslateParts {
  private static final String BASE64 = ";base64,";

  private final Untranslated faults;

  TranslateParts(Untranslated faults) {
    this.faults = faults;
  }

  List<Body> of(RawJson content, String path) {
    if (content.kind() == Kind.NULL) {
      return List.of();
    }
    if (content.kind() != Kind.ARRAY) {
      faults.add(path, "is neither a text nor a list of parts");
      return List.of();
    }
    List<Body> blocks = new ArrayList<>();
    List<RawJson> parts = content.elements();
    for (int i = 0; i < parts.size(); i++) {
      blocks.add(block(parts.get(i), path + "[" + i + "]"));
    }
    return blocks;
  }

  private Body block(RawJson part, String path) {
    Optional<String> type = text(part, "type");
    if (type.isEmpty()) {
      faults.add(path, "is no part with a type");
      return Body.of(part.bytes());
    }
    return switch (type.get()) {
      case "image_url" -> image(part, path + ".image_url");
      case "file" -> file(part, path + ".file");
      case "refusal" -> text(Body.of(part.member("refusal").orElse(part).bytes()));
      case "input_audio", "video_url" -> {
        faults.add(path, "is of type " + type.get() + ", which this provider does not take");
        yield Body.of(part.bytes());
      }
      default -> Body.of(part.bytes());
    };
  }

  static Body text(Body text) {
    return SpliceJson.object().member("type", Json.string("text")).member("text", text).end();
  }

  private Body image(RawJson part, String path) {
    Optional<RawJson> image = part.member("image_url");
    Optional<String> url =
        image
            .filter(its -> its.kind() == Kind.STRING)
            .map(RawJson::text)
            .or(() -> image.flatMap(its -> text(its, "url")));
    SpliceJson block = SpliceJson.object().member("type", Json.string("image"));
    if (url.isPresent() && url.get().startsWith("data:")) {
      block.member("source", base64(url.get(), path + ".url"));
    } else if (url.isPresent()) {
      block.member("source", source("url", "url", url.get()));
    } else {
      faults.add(path + ".url", "is missing");
    }
    return cached(part, block);
  }

  private Body file(RawJson part, String path) {
    Optional<RawJson> file = part.member("file");
    Optional<String> data = file.flatMap(its -> text(its, "file_data"));
    if (data.isEmpty() || !data.get().startsWith("data:application/pdf" + BASE64)) {
      faults.add(path, "is not the data of a PDF, the only file this provider takes");
      return Body.of(part.bytes());
    }
    SpliceJson block =
        SpliceJson.object()
            .member("type", Json.string("document"))
            .member("source", base64(data.get(), path + ".file_data"));
    file.flatMap(its -> text(its, "filename"))
        .ifPresent(name -> block.member("title", Json.string(name)));
    return cached(part, block);
  }

  private Body base64(String url, String path) {
    int mark = url.indexOf(BASE64);
    if (mark < 0) {
      faults.add(path, "is a data URL that is not base64");
      return Body.utf8("{}");
    }
    String type = url.substring("data:".length(), mark);
    int parameter = type.indexOf(';');
    return SpliceJson.object()
        .member("type", Json.string("base64"))
        .member("media_type", Json.string(parameter < 0 ? type : type.substring(0, parameter)))
        .member("data", Json.string(url.substring(mark + BASE64.length())))
        .end();
  }

  private static Body source(String type, String member, String value) {
    return SpliceJson.object()
        .member("type", Json.string(type))
        .member(member, Json.string(value))
        .end();
  }

  private static Body cached(RawJson part, SpliceJson block) {
    part.member("cache_control")
        .ifPresent(its -> block.member("cache_control", Body.of(its.bytes())));
    return block.end();
  }

  private static Optional<String> text(RawJson of, String name) {
    return of.kind() == Kind.OBJECT
        ? of.member(name).filter(value -> value.kind() == Kind.STRING).map(RawJson::text)
        : Optional.empty();
  }
}
