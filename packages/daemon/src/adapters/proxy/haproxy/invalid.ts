/** A table that could break what the proxy starts from. */
export function invalid(problem: string): Error {
  return new Error(`route table: ${problem}`);
}
