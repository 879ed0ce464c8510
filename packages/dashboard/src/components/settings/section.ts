/** Form field for an instance setting, with a label, a hint, and the effects of a change. */
export interface SettingField {
  /** Path of the setting in the API, for example `acme.email`. */
  path: string;
  label: string;
  hint: string;
  /**
   * Type of the form field. `mib` shows a number of bytes in MiB. `list` has one list item per line. `services` has one
   * address with a port per line.
   */
  kind: 'text' | 'number' | 'mib' | 'check' | 'pem' | 'list' | 'services';
  unit?: string;
  /**
   * Default value of this instance setting, as text. If the form field is empty, the setting has this value. A test
   * compares the default value with the OpenAPI description.
   */
  usual: string;
  placeholder?: string;
  /**
   * Sentence that says what happens if the user changes this setting. `effect` is absent if the hint of the form field
   * already says this.
   */
  effect?: string;
  /** Sentence that says what happens if the user reduces the value of the setting, for example that data is deleted. */
  whenLess?: string;
}

export interface SettingSection {
  value: string;
  label: string;
  title: string;
  description: string;
  fields: readonly SettingField[];
}
