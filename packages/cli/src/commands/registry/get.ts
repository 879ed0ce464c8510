import { bytes, type OwnRegistry } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['registry', 'get'],
  summary: 'Show the state of the registry of the instance',
  examples: [{ line: 'davit registry get', does: 'Show the address and size of the registry, and its next cleanup' }],
  async run({ client, out }) {
    const registry = await (await client()).getOwnRegistry();
    const { last, next_at, running } = registry.collection;
    out.record(
      registry,
      [
        ['registry', registry.address, 'bold'],
        ['local address', registry.local_address],
        ['status', registry.status, registry.status === 'running' ? 'green' : 'yellow'],
        ['problem', registry.problem ?? undefined, 'red'],
        ['version', registry.version],
        ['repositories', registry.repositories],
        ['size on disk', registry.bytes === null ? null : bytes(registry.bytes)],
        ['last cleanup', running ? 'in progress' : last === null ? 'never' : collected(last)],
        ['next cleanup', minute(next_at)],
      ],
      registry.address,
    );
  },
});

function collected({ at, error, freed_bytes }: NonNullable<OwnRegistry['collection']['last']>): string {
  const result = error ?? (freed_bytes === null ? null : `${bytes(freed_bytes)} freed`);
  return [minute(at), ...(result === null ? [] : [result])].join(', ');
}
