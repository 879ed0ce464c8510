/** Converts the name of an option such as `dryRun` to its flag `dry-run`. */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
