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
   * Default of the instance setting as text. An empty form field means this default. A test checks that the OpenAPI
   * description has the same default.
   */
  usual: string;
  placeholder?: string;
  /** Sentence about the effect of changing the setting. It is absent if the hint already describes the effect. */
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
