import type { LogLine, OneOff, OneOffResult } from '../engine.ts';
import { EngineRefused } from '../engine.ts';
import type { MemoryInstances } from './instances.ts';
import type { MemoryContainer, MemoryWorld } from './world.ts';

const OUTPUT_BYTES = 64 * 1024;

/** Runs a simulated command to its end; a second call under the same name joins the first. */
export async function runOneOff(
  world: MemoryWorld,
  instances: MemoryInstances,
  oneOff: OneOff,
  signal: AbortSignal,
  now: () => Date,
  onLine?: (line: LogLine) => void,
): Promise<OneOffResult> {
  signal.throwIfAborted();
  const container = instances.byName(oneOff.name) ?? create(world, instances, oneOff, now);
  try {
    if (container.state === 'created') instances.start(container.id);
    const { exitCode } = await instances.waitExit(container.id, signal);
    for (const line of container.logs) onLine?.(line);
    const output = container.logs.map((line) => `${line.line}\n`).join('');
    return { exitCode, output: output.slice(-OUTPUT_BYTES) };
  } finally {
    instances.remove(container.id);
  }
}

function create(world: MemoryWorld, instances: MemoryInstances, oneOff: OneOff, now: () => Date): MemoryContainer {
  const image = world.images.get(oneOff.imageId);
  if (image === undefined) throw new EngineRefused(`create container: there is no image ${oneOff.imageId}`);
  const { kind, name, app, deployment, imageId, network, env, command, limits, volumes } = oneOff;
  const { exitCode, lines } = interpret(command);
  const container = instances.add({
    ...{ kind, name, app, deployment, imageId, network, env, command, limits, volumes },
    address: null,
    args: null,
    stopSignal: 'SIGTERM',
    tcpPorts: [],
    behaviour: { ...image.behaviour, exit: exitCode === null ? null : { exitCode, oomKilled: false }, lines: [] },
  });
  container.logs.push(...lines.map((line) => ({ at: now(), stream: 'stdout' as const, line })));
  return container;
}

/**
 * What a simulated command does: `echo WORDS`, `exit N`, `true`, `false` and `sleep N` (which never ends by itself),
 * alone or as the script of `sh -c`, separated by `;`. Anything else ends well and says nothing.
 */
function interpret(command: string[]): { exitCode: number | null; lines: string[] } {
  const script = command[0] === 'sh' && command[1] === '-c' ? (command[2] ?? '') : command.join(' ');
  const lines: string[] = [];
  for (const part of script.split(';')) {
    const [verb, ...words] = part.trim().split(/\s+/);
    if (verb === 'echo') lines.push(words.join(' '));
    if (verb === 'sleep') return { exitCode: null, lines };
    if (verb === 'false') return { exitCode: 1, lines };
    if (verb === 'exit') return { exitCode: Number(words[0] ?? 0), lines };
  }
  return { exitCode: 0, lines };
}
