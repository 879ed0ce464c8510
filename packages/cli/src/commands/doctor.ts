import type { CheckState, InstanceCheck, InstanceRepair } from '@davit/api';
import { runDaemonAction } from '../client/daemon-program.ts';
import type { Connection } from '../credentials/choose.ts';
import { defineCommand } from '../declaration/command.ts';
import { CliError, EXIT } from '../errors/exit.ts';
import type { Style } from '../output/paint.ts';

const STYLES: Record<CheckState, Style> = { ok: 'green', warning: 'yellow', problem: 'red' };

export const command = defineCommand({
  path: ['doctor'],
  summary: 'Check the instance, and repair it',
  description:
    'The command checks the database of Davit, Docker, the proxy, the registry, the ports, the disk, the clock, certificates, DNS records, backups and platform images. If the daemon on this server does not respond, the command runs only the checks that need no daemon. Exit code 12 means that the command found a problem. With -q, the command prints only the names of checks with a problem or warning. Required role: admin with access to all projects.',
  options: {
    repair: { description: 'start the repairs that cannot delete data of users, then check again' },
  },
  examples: [
    { line: 'davit doctor', does: 'Check the instance' },
    { line: 'davit doctor --repair', does: 'Start the repairs, then check the instance again' },
    { line: 'davit doctor --local', does: 'Check the instance on this server' },
  ],
  async run({ client, connection, out, env, options: { repair } }) {
    const { isOutside, actions, checks } = await resultOf();
    if (out.isJson) out.json({ outside: isOutside, actions, checks });
    else if (out.isQuiet) for (const { name } of checks.filter(({ state }) => state !== 'ok')) out.line(name);
    else {
      if (isOutside) out.note('The daemon does not respond, so Davit can run only some checks and no repairs.');
      for (const { message } of actions) out.line(`repaired  ${message}`);
      for (const { name, state, message } of checks)
        out.line(`${state.padEnd(8)}  ${name.replaceAll('_', ' ').padEnd(15)}  ${message}`, STYLES[state]);
      if (!repair && checks.some(({ repairable }) => repairable))
        out.note('To repair the instance: davit doctor --repair');
    }
    return checks.some(({ state }) => state === 'problem') ? EXIT.problems.code : EXIT.ok.code;

    async function resultOf(): Promise<InstanceRepair & { isOutside: boolean }> {
      try {
        const api = await client();
        if (repair) return { ...(await api.repairInstance({})), isOutside: false };
        return { actions: [], ...(await api.checkInstance()), isOutside: false };
      } catch (error) {
        const isAway = error instanceof CliError && error.exit === 'unreachable';
        if (!isAway || !isOnThisServer(await connection())) throw error;
        return { actions: [], checks: await checksFromOutside(env.dataDir, error), isOutside: true };
      }
    }
  },
});

function isOnThisServer({ url, socketPath }: Connection): boolean {
  return socketPath !== undefined || /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(new URL(url).hostname);
}

/** @throws the error of the API request if the daemon is not installed with the command line */
async function checksFromOutside(dataDir: string, cause: CliError): Promise<InstanceCheck[]> {
  const found: InstanceCheck[] = [];
  await runDaemonAction({
    args: ['check', '--data-dir', dataDir],
    onEvent: ({ kind, data }) => {
      if (kind === 'result') found.push(...(data as InstanceCheck[]));
    },
  }).catch(() => undefined);
  if (found.length === 0) throw cause;
  return found;
}
