import { EngineRefused, LeftRunning } from '../errors.ts';
import type { GroupFile } from '../group.ts';
import type { LogLine } from '../logs.ts';
import type { OneOff, OneOffResult, TakeLine } from '../one-off.ts';
import { ONE_OFF_OUTPUT_BYTES } from '../one-off.ts';
import type { EventBus } from './bus.ts';
import type { MemoryContainer } from './container.ts';
import type { MemoryInstances } from './instances.ts';
import type { SimulatedEngineState } from './state.ts';

interface Parts {
  world: SimulatedEngineState;
  instances: MemoryInstances;
  bus: EventBus;
  now: () => Date;
}

/**
 * Runs a simulated command in a new container until the command ends. If a container with this name already exists, the
 * function waits for the existing container.
 */
export async function runOneOff(
  parts: Parts,
  oneOff: OneOff,
  signal: AbortSignal,
  onLine: TakeLine = () => undefined,
): Promise<OneOffResult> {
  signal.throwIfAborted();
  const { instances } = parts;
  const container = instances.byName(oneOff.name) ?? create(parts, oneOff);
  try {
    if (container.state === 'created') instances.start(container.id);
    await forwardLines(container, parts.bus, signal, onLine);
    const output = Buffer.from(container.logs.map((line) => `${line.line}\n`).join(''));
    instances.remove(container.id);
    return { exitCode: container.exitCode ?? 0, output: output.subarray(-ONE_OFF_OUTPUT_BYTES).toString() };
  } catch (error) {
    if (!(error instanceof LeftRunning)) instances.remove(container.id);
    throw error;
  }
}

/**
 * Passes each log line of a simulated command to `onLine`. Resolves when the container has exited and all log lines
 * were passed.
 */
async function forwardLines(
  container: MemoryContainer,
  bus: EventBus,
  signal: AbortSignal,
  onLine: TakeLine,
): Promise<void> {
  for (let next = 0; ; ) {
    signal.throwIfAborted();
    const line = container.logs[next];
    if (line !== undefined) {
      next += 1;
      await onLine(line);
    } else if (container.state === 'running') await bus.next(signal);
    else return;
  }
}

function create({ world: state, instances, now }: Parts, oneOff: OneOff): MemoryContainer {
  const image = state.images.get(oneOff.imageId);
  if (image === undefined)
    throw new EngineRefused(`The container cannot be created, because the image ${oneOff.imageId} does not exist.`);
  const { kind, name, app, deployment, imageId, network, env, command, limits, volumes } = oneOff;
  const { exitCode, lines } = interpret(command, env, oneOff.files ?? []);
  const container = instances.add({
    ...{ kind, name, app, deployment, imageId, network, env, command, limits, volumes },
    address: null,
    args: null,
    stopSignal: 'SIGTERM',
    tcpPorts: [],
    files: oneOff.files ?? [],
    behaviour: { ...image.behaviour, exit: exitCode === null ? null : { exitCode, oomKilled: false }, lines: [] },
  });
  container.logs.push(...lines.map((line) => ({ at: now(), ...line })));
  return container;
}

interface Outcome {
  /** Exit code of the simulated command, or `null` if the command never exits. */
  exitCode: number | null;
  lines: Pick<LogLine, 'stream' | 'line'>[];
}

/**
 * Returns the exit code and the output of a simulated command. The script of `sh -c` may contain several commands,
 * separated by `;`. Unknown commands succeed without output. The simulation supports these commands:
 * - `cat FILE` prints a file of the container
 * - `echo WORDS` prints to stdout, or to stderr if the command ends with `>&2`
 * - `printenv NAME`, `exit N`, `true` and `false`
 * - `sleep N` runs until the simulated command is stopped
 */
function interpret(command: string[], env: Record<string, string>, files: readonly GroupFile[]): Outcome {
  const script = command[0] === 'sh' && command[1] === '-c' ? (command[2] ?? '') : command.join(' ');
  const lines: Outcome['lines'] = [];
  for (const part of script.split(';')) {
    const [verb, ...words] = part.trim().split(/\s+/);
    if (verb === 'echo') lines.push(echoed(words));
    if (verb === 'cat') {
      const text = Buffer.from(files.find(({ path }) => path === words[0])?.bytes ?? []).toString();
      lines.push(...text.split('\n').map((line) => ({ stream: 'stdout' as const, line })));
    }
    if (verb === 'printenv') lines.push({ stream: 'stdout', line: env[words[0] ?? ''] ?? '' });
    if (verb === 'sleep') return { exitCode: null, lines };
    if (verb === 'false') return { exitCode: 1, lines };
    if (verb === 'exit') return { exitCode: Number(words[0] ?? 0), lines };
  }
  return { exitCode: 0, lines };
}

function echoed(words: string[]): Outcome['lines'][number] {
  const toStderr = words.at(-1) === '>&2';
  return { stream: toStderr ? 'stderr' : 'stdout', line: (toStderr ? words.slice(0, -1) : words).join(' ') };
}
