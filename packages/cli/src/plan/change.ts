/**
 * Sign of a line in a plan. `+`: Davit creates the resource or setting. `~`: Davit changes it. `-`: davit.yaml omits
 * the setting, so Davit resets it to its default. `=`: davit.yaml omits the setting, so Davit does not change it.
 */
export type Sign = '+' | '~' | '-' | '=';

export interface Change {
  sign: Sign;
  kind: 'project' | 'environment' | 'app' | 'setting' | 'variable' | 'domain' | 'volume';
  name: string;
  /** Current value as text. `null` if there is no current value, or if the value is secret. */
  from: string | null;
  to: string | null;
}
