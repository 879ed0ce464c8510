import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface WhatIsThere {
  hasDockerfile: boolean;
  /**
   * TCP ports of `EXPOSE` lines in the last build stage of the Dockerfile. A port that is given by an `ARG` is not
   * included.
   */
  ports: number[];
}

/** Returns whether a folder contains a Dockerfile, and which ports the Dockerfile exposes. */
export async function whatIsThere(folder: string): Promise<WhatIsThere> {
  try {
    const text = await readFile(join(folder, 'Dockerfile'), 'utf8');
    return { hasDockerfile: true, ports: exposedPorts(text) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { hasDockerfile: false, ports: [] };
    throw error;
  }
}

/**
 * Returns the TCP ports in lines such as `EXPOSE 8080 9090/tcp` of a Dockerfile. Only the last build stage is read.
 * Each `FROM` line begins a new build stage.
 */
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
