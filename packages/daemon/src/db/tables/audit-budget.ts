import type { NewAuditRow } from './audit.ts';

const MINUTE_MS = 60_000;
/** Maximum number of audit rows per minute for refused requests of one user or one client network. */
const EACH = 20;
/** Maximum number of audit rows per minute for refused requests of all unauthenticated callers together. */
const ANONYMOUS = 60;

/** Value of the column `operation` in an audit row that represents many refused requests. */
export const MANY = 'many';

/**
 * Limits the number of audit rows for refused requests, because any client can send such requests. Requests above the
 * limit are only counted.
 */
export class RefusalBudget {
  #rows: NewAuditRow[] = [];
  readonly #counted = new Map<string, NewAuditRow>();
  readonly #singles = new Map<string, number>();
  #anonymous = 0;
  #since = 0;

  /**
   * Adds the audit row of a refused request. If there were too many refused requests in a minute, only increases a
   * counter.
   * @param source user or client network
   */
  take(row: NewAuditRow, source: string, at: number): void {
    this.#turn(at);
    if (this.#fits(row, source)) {
      this.#rows.push(row);
      return;
    }
    const isAnonymous = row.actor === null;
    const key = `${isAnonymous ? '' : source}\0${row.status}`;
    const known = this.#counted.get(key);
    if (known) known.times += 1;
    else {
      const rest = { operation: MANY, target: '', project_id: null, request_id: null };
      this.#counted.set(key, { ...row, ...rest, ...(isAnonymous && { ip: '' }) });
    }
  }

  /** Returns the collected audit rows, and deletes these rows from this object. */
  drain(at: number): NewAuditRow[] {
    this.#turn(at);
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /**
   * Returns whether some refused requests were counted but have no audit row yet. These audit rows are created at the
   * end of the minute.
   */
  get isHolding(): boolean {
    return this.#counted.size > 0;
  }

  /**
   * Creates one audit row for each counter of refused requests, and resets all counters and limits. The method `drain`
   * returns the new audit rows.
   */
  close(): void {
    this.#rows.push(...this.#counted.values());
    this.#counted.clear();
    this.#singles.clear();
    this.#anonymous = 0;
  }

  #turn(at: number): void {
    if (at - this.#since < MINUTE_MS && at >= this.#since) return;
    this.close();
    this.#since = at;
  }

  #fits({ actor }: NewAuditRow, source: string): boolean {
    if (actor === null && this.#anonymous >= ANONYMOUS) return false;
    const singles = this.#singles.get(source) ?? 0;
    if (singles >= EACH) return false;
    this.#singles.set(source, singles + 1);
    if (actor === null) this.#anonymous += 1;
    return true;
  }
}
