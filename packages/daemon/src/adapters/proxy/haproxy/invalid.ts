/** Returns the error for a route table with an invalid value. Such a value could break the HAProxy configuration. */
export function invalid(problem: string): Error {
  return new Error(`route table: ${problem}`);
}
