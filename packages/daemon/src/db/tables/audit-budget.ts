import type { NewAuditRow } from './audit.ts';

const MINUTE_MS = 60_000;
/** Maximum number of separate rows in one minute: for one source, and for all unauthenticated callers together. */
const EACH = 20;
const NOBODYS = 60;

/** Placeholder for the operation in a row that represents many requests. */
export const MANY = 'many';

/**
 * Refused requests that are not in the audit log yet. Any client can cause refused requests, so only the first ones in
 * a minute get a separate row. Further requests of a source share one row for each minute and status. Further requests
 * of all unauthenticated callers share one row together.
 */
export class RefusalBudget {
  #rows: NewAuditRow[] = [];
  readonly #counted = new Map<string, NewAuditRow>();
  readonly #singles = new Map<string, number>();
  #nobodys = 0;
  #since = 0;

  /**
   * Adds a refused request.
   * @param source key under which requests are counted together
   */
  take(row: NewAuditRow, source: string, at: number): void {
    this.#turn(at);
    if (this.#fits(row, source)) {
      this.#rows.push(row);
      return;
    }
    const isNobodys = row.actor === null;
    const key = `${isNobodys ? '' : source}\0${row.status}`;
    const known = this.#counted.get(key);
    if (known) known.times += 1;
    else {
      const rest = { operation: MANY, target: '', project_id: null, request_id: null };
      this.#counted.set(key, { ...row, ...rest, ...(isNobodys && { ip: '' }) });
    }
  }

  /** Removes and returns the rows that must be written now. */
  drain(at: number): NewAuditRow[] {
    this.#turn(at);
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** Returns whether there are counted requests, which are written at the end of their minute. */
  get isHolding(): boolean {
    return this.#counted.size > 0;
  }

  /** Ends the minute, so that {@link drain} returns the counted requests. */
  close(): void {
    this.#rows.push(...this.#counted.values());
    this.#counted.clear();
    this.#singles.clear();
    this.#nobodys = 0;
  }

  #turn(at: number): void {
    if (at - this.#since < MINUTE_MS && at >= this.#since) return;
    this.close();
    this.#since = at;
  }

  #fits({ actor }: NewAuditRow, source: string): boolean {
    if (actor === null && this.#nobodys >= NOBODYS) return false;
    const singles = this.#singles.get(source) ?? 0;
    if (singles >= EACH) return false;
    this.#singles.set(source, singles + 1);
    if (actor === null) this.#nobodys += 1;
    return true;
  }
}
