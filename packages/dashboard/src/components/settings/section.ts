/** The settings of the instance as people fill them in: each has a label, what it is for, and what a change of it does. */
export interface SettingField {
  /** Where it stands in the API's answer; a refusal names it so. */
  path: string;
  label: string;
  hint: string;
  /**
   * `mib`: bytes, shown in mebibytes. `list` and `services`: one entry per line; a service is an address and a port.
   */
  kind: 'text' | 'number' | 'mib' | 'check' | 'pem' | 'list' | 'services';
  unit?: string;
  /** The default, which an empty field stands for, as it is typed; the contract's, against which a test holds it. */
  usual: string;
  placeholder?: string;
  /** What a change does, beyond what the hint says. */
  effect?: string;
  /** What less of it does. */
  whenLess?: string;
}

export interface SettingSection {
  value: string;
  label: string;
  title: string;
  description: string;
  fields: readonly SettingField[];
}
