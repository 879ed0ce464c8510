/** Returns the error for a table that could break the files that the proxy reads at its start. */
export function invalid(problem: string): Error {
  return new Error(`route table: ${problem}`);
}
