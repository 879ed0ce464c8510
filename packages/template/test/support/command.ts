/** Helpers for tests of the command. */
import { runCommand } from '../../src/command/run.ts';

/** Template without problems. */
export const VALID = `version: 1
project: hello
apps:
  - key: web
    image: ghcr.io/acme/web
    tag: v1
    health: /healthz
    limits: {}
    domains: [{ host: "\${input.domain}" }]
inputs:
  - { key: domain, type: domain, label: Where it answers }
`;

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in a folder, with an input on stdin and a replacement for the network. */
export async function runIn(
  folder: string,
  words: string[],
  { stdin = '', fetch = globalThis.fetch } = {},
): Promise<Ran> {
  const ran = { stdout: '', stderr: '' };
  const io = { cwd: folder, stdin: streamOf(stdin), fetch, signal: new AbortController().signal };
  const code = await runCommand(words, io, {
    stdout: (text) => {
      ran.stdout += text;
    },
    stderr: (text) => {
      ran.stderr += text;
    },
    paint: (text) => text,
    width: null,
  });
  return { code, ...ran };
}

async function* streamOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
