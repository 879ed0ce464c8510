/** Returns the error for an invalid value in a route table. Invalid values could break the HAProxy configuration. */
export function invalid(problem: string): Error {
  return new Error(`route table: ${problem}`);
}
