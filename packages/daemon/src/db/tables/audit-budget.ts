import type { NewAuditRow } from './audit.ts';

const MINUTE_MS = 60_000;
/** Rows of their own in a minute: of one source, and of all that have not shown who they are. */
const EACH = 20;
const NOBODYS = 60;

/** What stands for the operation in a row that stands for many requests. */
export const MANY = 'many';

/**
 * Refused requests on their way into the audit log. Anybody can be refused as often as he likes, so that only the first
 * of a minute get a row each; the others of a source are counted in one row a minute and status, and those of everybody
 * who is nobody in one together.
 */
export class RefusalBudget {
  #rows: NewAuditRow[] = [];
  readonly #counted = new Map<string, NewAuditRow>();
  readonly #singles = new Map<string, number>();
  #nobodys = 0;
  #since = 0;

  /** @param source what is counted together */
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

  /** Takes out what is to be written now. */
  drain(at: number): NewAuditRow[] {
    this.#turn(at);
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** Whether something is counted that is written at the end of its minute. */
  get isHolding(): boolean {
    return this.#counted.size > 0;
  }

  /** Ends the minute: what was counted is to be written now. */
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
