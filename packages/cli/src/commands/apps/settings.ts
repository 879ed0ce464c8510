import { type AppPatch, IMAGE_PORT } from '@davit/api';
import { byteCount, cores, orNone, pairsOf, wholeNumber } from '../../arguments/values.ts';

/** Settings that have options. All settings can be set in davit.yaml. */
export const SETTINGS = {
  image: { value: 'repository', description: 'where its images are, without a tag; absent at creation: pushed here' },
  tag: { value: 'tag', description: 'pin: what a deploy without a tag takes; «none»: no pin' },
  port: {
    value: 'port',
    description: 'where it listens; «none»: a worker without routes; «image»: what the image says',
  },
  scale: { value: 'n', description: 'how many instances run' },
  healthPath: { value: 'path', description: 'is answered with 2xx when it is ready; «none»: a TCP connect' },
  memory: { value: 'amount', description: 'the most of one instance, such as 512m; «none»: no limit' },
  cpu: { value: 'cores', description: 'the most of one instance, such as 0.5; «none»: no limit' },
  label: { value: 'key=value', repeatable: true, description: 'a label; all are replaced' },
} as const;

interface Given {
  image: string | undefined;
  tag: string | undefined;
  port: string | undefined;
  scale: string | undefined;
  healthPath: string | undefined;
  memory: string | undefined;
  cpu: string | undefined;
  label: string[];
}

/**
 * Returns a merge patch of the given settings.
 * @throws CliError usage
 */
export function settingsPatch(given: Given): AppPatch {
  const limits = {
    ...(given.memory !== undefined && { memory_bytes: orNone(given.memory, byteCount) }),
    ...(given.cpu !== undefined && { cpu: orNone(given.cpu, cores) }),
  };
  return {
    ...(given.image !== undefined && { source: 'image' as const, image: given.image }),
    ...(given.tag !== undefined && { tag: orNone(given.tag, (tag) => tag) }),
    ...(given.port !== undefined && {
      port: orNone(given.port, (port) => (port === IMAGE_PORT ? port : wholeNumber(port, 'port'))),
    }),
    ...(given.scale !== undefined && { scale: wholeNumber(given.scale, 'number of instances') }),
    ...(given.healthPath !== undefined && { health: { path: orNone(given.healthPath, (path) => path) } }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(given.label.length > 0 && { labels: pairsOf(given.label) }),
  } as AppPatch;
}
