import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Returns the permanent id in the database of a data directory, or null if there is none yet. */
export function davitIdOf(dataDir: string): string | null {
  const file = join(dataDir, 'davit.db');
  if (!existsSync(file)) return null;
  using db = new DatabaseSync(file, { readOnly: true });
  const row = db.prepare("SELECT value FROM settings WHERE key = 'id'").get();
  return row === undefined ? null : String(row.value);
}

/**
 * Returns the environment variables that a daemon needs. Settings of the user who runs the tests must not reach the
 * daemon.
 */
export function daemonEnvironment(): NodeJS.ProcessEnv {
  const kept = /^(PATH|HOME|LANG|TMPDIR|DOCKER_HOST|DAVIT_TEST_RUN|(https?|no|all)_proxy)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name)));
}
