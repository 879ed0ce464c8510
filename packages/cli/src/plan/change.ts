/**
 * Kind of a change: `+` is created, `~` is changed, `-` is reset to its default, `=` is not in the file and is kept.
 */
export type Sign = '+' | '~' | '-' | '=';

export interface Change {
  sign: Sign;
  kind: 'project' | 'environment' | 'app' | 'setting' | 'variable' | 'domain' | 'volume';
  name: string;
  /** Value as text, or `null` if there is none or if it is secret. */
  from: string | null;
  to: string | null;
}
