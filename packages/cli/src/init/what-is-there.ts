import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface WhatIsThere {
  hasDockerfile: boolean;
  /**
   * TCP ports of the `EXPOSE` lines in the last build stage of the Dockerfile. A port from an `ARG` variable is not
   * included.
   */
  ports: number[];
}

/** Returns whether a folder contains a Dockerfile, and the ports that the Dockerfile exposes. */
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
 * Returns the TCP ports of a Dockerfile from lines such as `EXPOSE 8080 9090/tcp`. Each `FROM` line starts a new build
 * stage. Only the last build stage is used.
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
