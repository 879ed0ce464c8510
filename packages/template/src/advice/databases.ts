import type { Scope } from '../meaning/scope.ts';

export function adviseDatabases({ draft: { databases = [] }, warning }: Scope): void {
  for (const [index, { engine, version }] of databases.entries()) {
    if (version !== undefined) continue;
    const message = `Without a version, each installation uses the newest ${engine} at that time.`;
    warning('advice.unpinned-engine', ['databases', index, 'engine'], message, 'Set `version`.');
  }
}
