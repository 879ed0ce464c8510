import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface WhatIsThere {
  hasDockerfile: boolean;
  /** TCP ports of `EXPOSE` in the last build stage. A port that is an `ARG` is not included. */
  ports: number[];
}

/** Reads the Dockerfile in a folder, if there is one, and its exposed ports. */
export async function whatIsThere(folder: string): Promise<WhatIsThere> {
  try {
    const text = await readFile(join(folder, 'Dockerfile'), 'utf8');
    return { hasDockerfile: true, ports: exposedPorts(text) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { hasDockerfile: false, ports: [] };
    throw error;
  }
}

/** Returns the ports of `EXPOSE 8080 9090/tcp` lines in the last build stage. Each `FROM` begins a new stage. */
export function exposedPorts(dockerfile: string): number[] {
  const lines = dockerfile.replace(/\\\r?\n/g, ' ').split(/\r?\n/);
  const lastStage = lines.findLastIndex((line) => /^\s*FROM\s/i.test(line));
  const words = lines.slice(lastStage + 1).flatMap((line) => {
    const [, rest] = /^\s*EXPOSE\s+(.*)$/i.exec(line) ?? [];
    return rest?.trim().split(/\s+/) ?? [];
  });
  const ports = words.flatMap((word) => {
    const [, port] = /^(\d+)(\/tcp)?$/i.exec(word) ?? [];
    return port === undefined ? [] : [Number(port)];
  });
  return [...new Set(ports)].filter((port) => port >= 1 && port <= 65_535);
}
