/** Counts HTTP responses by API operation and status. */
export class RequestCounts {
  readonly #counts = new Map<string, { operation: string; status: number; count: number }>();

  add(operation: string, status: number): void {
    const key = `${operation} ${status}`;
    const found = this.#counts.get(key);
    if (found) found.count += 1;
    else this.#counts.set(key, { operation, status, count: 1 });
  }

  values(): Iterable<Readonly<{ operation: string; status: number; count: number }>> {
    return this.#counts.values();
  }
}
