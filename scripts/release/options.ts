import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ARCHITECTURES, type Architecture } from './packages.ts';

export interface ReleaseOptions {
  out: string;
  architectures: Architecture[];
  /** File with the secret key, or null for an unsigned release. */
  key: string | null;
}

const USAGE = 'Usage: npm run release -- --out DIR [--arch x64|arm64] (--key FILE | --unsigned)';

/** Reads the arguments of the command. An unsigned release needs an explicit option, because users cannot verify it. */
export function readOptions(args: string[]): ReleaseOptions | { problem: string } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        out: { type: 'string' },
        arch: { type: 'string' },
        key: { type: 'string' },
        unsigned: { type: 'boolean', default: false },
      },
    });
    const { out, arch, key, unsigned } = values;
    if (out === undefined) return { problem: USAGE };
    if (arch !== undefined && !isArchitecture(arch))
      return { problem: `Davit has no release for the architecture ${arch}.\n${USAGE}` };
    if (key === undefined && !unsigned)
      return {
        problem: `A release needs a signature. Specify the key with --key, or build a test release with --unsigned.`,
      };
    if (key !== undefined && unsigned) return { problem: `Use either --key or --unsigned, not both.\n${USAGE}` };
    if (key !== undefined && !existsSync(key)) return { problem: `The key ${key} does not exist.` };
    return {
      out: resolve(out),
      architectures: arch === undefined ? [...ARCHITECTURES] : [arch],
      key: key === undefined ? null : resolve(key),
    };
  } catch (error) {
    return { problem: `${(error as Error).message}\n${USAGE}` };
  }
}

function isArchitecture(name: string): name is Architecture {
  return (ARCHITECTURES as readonly string[]).includes(name);
}
