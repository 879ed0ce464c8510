/** Instance setting as a form field: label, purpose and effect of a change. */
export interface SettingField {
  /** Path of the setting in the API, for example `acme.email`. */
  path: string;
  label: string;
  hint: string;
  /**
   * Kind of the form field. `mib` shows bytes in MiB. `list` and `services` have one entry per line, and a service is
   * an address with a port.
   */
  kind: 'text' | 'number' | 'mib' | 'check' | 'pem' | 'list' | 'services';
  unit?: string;
  /**
   * Default of the setting as typed text. An empty field means this default. A test compares the default with the API
   * description.
   */
  usual: string;
  placeholder?: string;
  /** Sentence about an effect of any change that the hint does not mention. */
  effect?: string;
  /** Sentence about the effect of a lower value, such as the deletion of data. */
  whenLess?: string;
}

export interface SettingSection {
  value: string;
  label: string;
  title: string;
  description: string;
  fields: readonly SettingField[];
}
