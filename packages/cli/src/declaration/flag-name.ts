/** Converts the name of an option in the code, such as `dryRun`, to its name on the command line, `dry-run`. */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
