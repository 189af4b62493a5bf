package dev.coatcheck.db.setting;

/** Configuration that the process does not start with. */
public final class SettingFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param sentence names the property and says what it must be
   */
  public SettingFault(String sentence) {
    super(sentence);
  }
}
