/** Form field for an instance setting, with a label, a hint, and the effects of a change. */
export interface SettingField {
  /** Path of the setting in the API, for example `acme.email`. */
  path: string;
  label: string;
  hint: string;
  /**
   * Type of the form field. `mib` shows an amount of bytes in MiB. `list` has one entry per line. `services` has one
   * address with a port per line.
   */
  kind: 'text' | 'number' | 'mib' | 'check' | 'pem' | 'list' | 'services';
  unit?: string;
  /**
   * Default value of this instance setting, as text. The setting has this value if the form field is empty. A test
   * compares this default with the OpenAPI description.
   */
  usual: string;
  placeholder?: string;
  /**
   * Sentence that says what happens if the user changes this setting. Absent if the hint of the form field already says
   * this.
   */
  effect?: string;
  /** Sentence about the effect of reducing the value of the setting, for example that data is deleted. */
  whenLess?: string;
}

export interface SettingSection {
  value: string;
  label: string;
  title: string;
  description: string;
  fields: readonly SettingField[];
}
