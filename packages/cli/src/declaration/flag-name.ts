/**
 * Converts the name of an option from camel case to the form on the command line. For example, `dryRun` becomes
 * `dry-run`.
 */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
