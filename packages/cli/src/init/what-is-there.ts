import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface WhatIsThere {
  hasDockerfile: boolean;
  /** The TCP ports that its last stage exposes; one that comes from an ARG is not known. */
  ports: number[];
}

/** What the folder says of the app. */
export async function whatIsThere(folder: string): Promise<WhatIsThere> {
  try {
    const text = await readFile(join(folder, 'Dockerfile'), 'utf8');
    return { hasDockerfile: true, ports: exposedPorts(text) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { hasDockerfile: false, ports: [] };
    throw error;
  }
}

/** `EXPOSE 8080 9090/tcp` of the last stage: each FROM begins anew. */
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
