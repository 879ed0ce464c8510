import type { Scope } from '../meaning/scope.ts';

export function adviseDatabases({ draft: { databases = [] }, warning }: Scope): void {
  for (const [index, { engine, version }] of databases.entries()) {
    if (version !== undefined) continue;
    const message = `Without a version this is the newest ${engine} of the day it is installed.`;
    warning('advice.unpinned-engine', ['databases', index, 'engine'], message, 'Set `version`.');
  }
}
