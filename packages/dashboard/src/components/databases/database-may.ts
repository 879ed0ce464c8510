/**
 * Returns an object with one entry for each action on a database. The entry is the reason why the action is not
 * possible now, or `null` if it is possible.
 */
import { canDatabase, type Database } from '@davit/api';
import type { Forbidden } from '../things/forbidden.ts';

export type DatabaseAction =
  | 'start'
  | 'stop'
  | 'restart'
  | 'attach'
  | 'change'
  | 'backUp'
  | 'rotate'
  | 'extend'
  | 'expose'
  | 'copy'
  | 'upgrade'
  | 'delete';

type Known = Pick<Database, 'name' | 'engine' | 'status' | 'task'>;

export function whyNotDatabase(database: Known, forbidden: Forbidden): Record<DatabaseAction, string | null> {
  const { name, engine, status, task } = database;
  const busy = task === null ? null : `Task ${task} is running on ${name}. Wait until it ends, or cancel it.`;
  const unless = (can: boolean, reason: string) => (can ? null : reason);
  const use = busy ?? unless(canDatabase.use(status), `${name} is ${status}. Start the database first.`);
  const { operate, administer } = forbidden;
  return {
    start: operate ?? busy ?? unless(canDatabase.start(status), `${name} is ${status}.`),
    stop: operate ?? busy ?? unless(canDatabase.stop(status), `${name} is ${status}.`),
    restart: operate ?? busy ?? unless(canDatabase.restart(status), `${name} is ${status}.`),
    attach: operate,
    change: operate,
    backUp: operate ?? use,
    rotate: administer ?? busy ?? unless(canDatabase.rotate(status), `${name} is ${status}. Start the database first.`),
    extend: administer ?? unless(engine === 'postgres', 'Only PostgreSQL has extensions.') ?? use,
    expose: administer ?? busy,
    copy: administer ?? use,
    upgrade: administer ?? use,
    delete: administer ?? busy,
  };
}
