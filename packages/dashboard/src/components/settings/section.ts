/** A setting of the instance as a form field, with its label, its purpose and the effect of a change. */
export interface SettingField {
  /** Path in the API's answer and in refusals. */
  path: string;
  label: string;
  hint: string;
  /**
   * Kind of the field. `mib`: bytes, shown in mebibytes. `list` and `services`: one entry per line. A service is an
   * address and a port.
   */
  kind: 'text' | 'number' | 'mib' | 'check' | 'pem' | 'list' | 'services';
  unit?: string;
  /** Default as typed text, which an empty field stands for. A test compares it with the contract. */
  usual: string;
  placeholder?: string;
  /** Effect of a change that the hint does not mention. */
  effect?: string;
  /** Effect of a lower value. */
  whenLess?: string;
}

export interface SettingSection {
  value: string;
  label: string;
  title: string;
  description: string;
  fields: readonly SettingField[];
}
