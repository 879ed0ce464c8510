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
   * Default of the instance setting as text. An empty form field means this default. A test compares the default with
   * the OpenAPI description.
   */
  usual: string;
  placeholder?: string;
  /** Sentence about the effect of any change of the setting, if the hint does not mention the effect. */
  effect?: string;
  /** Sentence about the effect of a lower value, for example that data is deleted. */
  whenLess?: string;
}

export interface SettingSection {
  value: string;
  label: string;
  title: string;
  description: string;
  fields: readonly SettingField[];
}
