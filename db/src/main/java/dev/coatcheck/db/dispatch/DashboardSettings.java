package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.setting.SettingFault;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jobrunr.spring.autoconfigure.JobRunrProperties;
import org.jspecify.annotations.Nullable;

/**
 * Where JobRunr's dashboard listens and who may look.
 *
 * @param password null where none is asked for, which is allowed on loopback only
 */
record DashboardSettings(
    InetAddress address, int port, @Nullable String username, @Nullable String password) {
  /** Characters that the password of an open dashboard has at least. */
  static final int MIN_PASSWORD = 16;

  private static final int MAX_PORT = 65_535;

  /**
   * @throws SettingFault in one sentence that names the property
   */
  static DashboardSettings of(String address, JobRunrProperties.Dashboard dashboard) {
    InetAddress resolved = resolve(address);
    String password = blankIsNone(dashboard.getPassword());
    String username = blankIsNone(dashboard.getUsername());
    require(
        dashboard.getPort() >= 0 && dashboard.getPort() <= MAX_PORT,
        "jobrunr.dashboard.port must be 0 to " + MAX_PORT);
    require(
        (password == null) == (username == null),
        "jobrunr.dashboard.username and jobrunr.dashboard.password must be set together");
    require(
        resolved.isLoopbackAddress() || (password != null && password.length() >= MIN_PASSWORD),
        "jobrunr.dashboard.password must have 16 characters or more unless"
            + " coatcheck.dashboard.address is a loopback address");
    return new DashboardSettings(resolved, dashboard.getPort(), username, password);
  }

  @Override
  public String toString() {
    return "DashboardSettings";
  }

  private static InetAddress resolve(String address) {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new SettingFault("coatcheck.dashboard.address must be an address of this machine");
    }
  }

  private static @Nullable String blankIsNone(@Nullable String text) {
    return text == null || text.isBlank() ? null : text;
  }

  private static void require(boolean condition, String sentence) {
    if (!condition) {
      throw new SettingFault(sentence);
    }
  }
}
