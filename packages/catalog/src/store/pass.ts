import type { Connection } from './connection.ts';
import type { PassReport } from './types.ts';

export function notePass(db: Connection, report: PassReport): void {
  db.run(
    'INSERT INTO passes (id, report) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET report = excluded.report',
    JSON.stringify(report),
  );
}

export function lastPass(db: Connection): PassReport | null {
  const found = db.get<{ report: string }>('SELECT report FROM passes');
  return found ? (JSON.parse(found.report) as PassReport) : null;
}
