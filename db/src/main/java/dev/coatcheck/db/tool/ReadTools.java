package dev.coatcheck.db.tool;

import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.setting.SettingFault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads the tools file. A fault in it is one sentence that names the tool. */
final class ReadTools {
  /** Tools in one file. */
  static final int MAX_TOOLS = 1_000;

  private final Function<String, Optional<String>> environment;

  /**
   * @param environment what {@code ${NAME}} stands for
   */
  ReadTools(Function<String, Optional<String>> environment) {
    this.environment = environment;
  }

  /**
   * @throws SettingFault if anything in it is not as it must be
   */
  Tools read(RawJson file) {
    List<RawJson> entries = entries(file);
    Set<String> names = new HashSet<>();
    List<ToolDefinition> tools = new ArrayList<>();
    for (RawJson entry : entries) {
      tools.add(new ReadTool(entry, tools.size(), environment).read());
    }
    for (ToolDefinition tool : tools) {
      if (!names.add(tool.name())) {
        throw fault("there are two tools named \"" + tool.name() + "\"");
      }
    }
    return new Tools(tools);
  }

  private static List<RawJson> entries(RawJson file) {
    if (file.kind() != RawJson.Kind.OBJECT) {
      throw fault("the file must be an object with a list of tools");
    }
    for (RawJson.Member member : file.members()) {
      if (!member.name().equals("tools")) {
        throw fault("the file has an unknown member \"" + member.name() + "\"");
      }
    }
    RawJson list = file.member("tools").orElseThrow(() -> fault("the file has no list of tools"));
    if (list.kind() != RawJson.Kind.ARRAY || list.elements().size() > MAX_TOOLS) {
      throw fault("tools must be a list of at most " + MAX_TOOLS);
    }
    return list.elements();
  }

  static SettingFault fault(String words) {
    return new SettingFault("coatcheck.tools-file: " + words + ".");
  }
}
