/**
 * Sign of a line in a plan. `+`: Davit creates it. `~`: Davit changes it. `-`: Davit resets it to its default. `=`:
 * davit.yaml does not contain it, and it stays unchanged.
 */
export type Sign = '+' | '~' | '-' | '=';

export interface Change {
  sign: Sign;
  kind: 'project' | 'environment' | 'app' | 'setting' | 'variable' | 'domain' | 'volume';
  name: string;
  /** Value as text. `null` if there is no value or the value is secret. */
  from: string | null;
  to: string | null;
}
