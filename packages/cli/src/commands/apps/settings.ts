import { type AppPatch, IMAGE_PORT } from '@davit/api';
import { byteCount, cores, orNone, pairsOf, wholeNumber } from '../../arguments/values.ts';

/** App settings that have a command-line option. Users can set all other app settings in davit.yaml. */
export const SETTINGS = {
  image: {
    value: 'repository',
    description:
      'image repository without a tag, such as ghcr.io/acme/web (default for a new app: the registry of the instance)',
  },
  tag: { value: 'tag', description: 'pinned tag: deployments without a tag use this tag ("none": no pinned tag)' },
  port: {
    value: 'port',
    description:
      'port that the app listens on; "none" for a worker, which gets no requests; "image" for the port that the image exposes',
  },
  scale: { value: 'n', description: 'number of replicas' },
  healthPath: {
    value: 'path',
    description:
      'path of the health check, which must answer with a 2xx status ("none": check only the TCP connection)',
  },
  memory: { value: 'amount', description: 'memory limit of each replica, such as 512m ("none": no limit)' },
  cpu: { value: 'cores', description: 'CPU limit of each replica in cores, such as 0.5 ("none": no limit)' },
  pids: { value: 'n', description: 'maximum number of processes and threads of each replica' },
  label: { value: 'key=value', repeatable: true, description: 'label of the app; replaces all existing labels' },
} as const;

interface Given {
  image: string | undefined;
  tag: string | undefined;
  port: string | undefined;
  scale: string | undefined;
  healthPath: string | undefined;
  memory: string | undefined;
  cpu: string | undefined;
  pids: string | undefined;
  label: string[];
}

/**
 * Converts the command-line options for app settings to a JSON merge patch.
 * @throws CliError with the exit code `usage` if a value is invalid
 */
export function settingsPatch(given: Given): AppPatch {
  const limits = {
    ...(given.memory !== undefined && { memory_bytes: orNone(given.memory, byteCount) }),
    ...(given.cpu !== undefined && { cpu: orNone(given.cpu, cores) }),
    ...(given.pids !== undefined && { pids: wholeNumber(given.pids, 'number of processes') }),
  };
  return {
    ...(given.image !== undefined && { source: 'image' as const, image: given.image }),
    ...(given.tag !== undefined && { tag: orNone(given.tag, (tag) => tag) }),
    ...(given.port !== undefined && {
      port: orNone(given.port, (port) => (port === IMAGE_PORT ? port : wholeNumber(port, 'port'))),
    }),
    ...(given.scale !== undefined && { scale: wholeNumber(given.scale, 'number of replicas') }),
    ...(given.healthPath !== undefined && { health: { path: orNone(given.healthPath, (path) => path) } }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(given.label.length > 0 && { labels: pairsOf(given.label, 'label') }),
  } as AppPatch;
}
