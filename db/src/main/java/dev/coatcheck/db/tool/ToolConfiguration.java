package dev.coatcheck.db.tool;

import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The tools of a process, from {@code coatcheck.tools-file}. */
@Configuration(proxyBeanMethods = false)
public class ToolConfiguration {
  @Bean
  Tools tools(Environment environment) {
    String location = environment.getProperty("coatcheck.tools-file", "").strip();
    return location.isEmpty()
        ? Tools.NONE
        : ReadToolsFile.read(location, name -> Optional.ofNullable(environment.getProperty(name)));
  }
}
