/**
 * Sign of a line in a plan. `+`: Davit creates it. `~`: changes it. `-`: resets it to its default. `=`: not in
 * davit.yaml, so unchanged.
 */
export type Sign = '+' | '~' | '-' | '=';

export interface Change {
  sign: Sign;
  kind: 'project' | 'environment' | 'app' | 'setting' | 'variable' | 'domain' | 'volume';
  name: string;
  /** Current value as text. `null` if there is no current value or the value is secret. */
  from: string | null;
  to: string | null;
}
