/**
 * Matches names of environment variables. Dots are allowed, because some programs read variables such as
 * `discovery.type`, although a shell cannot read them. This module has no imports, so that the dashboard can load it
 * without the schemas.
 */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;

/** Maximum length of the name of an environment variable, in characters. */
export const VARIABLE_NAME_LENGTH = 255;

/** Violated rules for names of environment variables. The sentence begins with the name. */
export const VARIABLE_NAME_PROBLEMS = {
  long: `must be at most ${VARIABLE_NAME_LENGTH} characters`,
  form: 'must contain only letters, digits, “_” and “.”, and must not start with a digit or a dot',
  reserved: 'must not start with “DAVIT_”, which is reserved for variables that Davit sets',
} as const;

export function isReservedVariable(name: string): boolean {
  return name.startsWith('DAVIT_');
}

/** Returns the first violated rule for the name of an environment variable, or `null` if the name is valid. */
export function variableNameProblem(name: string): string | null {
  if (name.length > VARIABLE_NAME_LENGTH) return VARIABLE_NAME_PROBLEMS.long;
  if (!VARIABLE_NAME.test(name)) return VARIABLE_NAME_PROBLEMS.form;
  return isReservedVariable(name) ? VARIABLE_NAME_PROBLEMS.reserved : null;
}
